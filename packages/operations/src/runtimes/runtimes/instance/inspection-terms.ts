import type { RuntimeRow } from '@svc/postgres/runtimes/runtimes/runtimes.ts';
import type { InspectionTerms } from '@svc/runtimes/kind.ts';
import { allowedNodes } from '@svc/runtimes/workflow-automation-managed/bundle/allowed-nodes.ts';
import type { PlaneUrls } from '../plane-urls.ts';

const getOrigin = (url: string): string[] => (URL.canParse(url) ? [new URL(url).origin] : []);

/** Returns the terms of an inspection. */
export const getInspectionTerms = (
  { kind, settings, admin_access, base_url }: RuntimeRow,
  { gateway, base }: PlaneUrls,
): InspectionTerms => ({
  ...{ settings, admin_access, baseUrl: base_url },
  bundledNodes: kind === 'WORKFLOW_AUTOMATION_MANAGED' ? allowedNodes(settings) : null,
  gatewayOrigins: getOrigin(gateway),
  // If both planes have one address, it counts as the gateway.
  controlOrigins: getOrigin(base).filter((origin) => !getOrigin(gateway).includes(origin)),
});
