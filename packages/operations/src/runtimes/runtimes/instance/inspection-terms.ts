import type { RuntimeRow } from '@svc/postgres/runtimes/runtimes/runtimes.ts';
import type { InspectionTerms } from '@svc/runtimes/kind.ts';
import type { PlaneUrls } from '../plane-urls.ts';

const originOf = (url: string): string[] => (URL.canParse(url) ? [new URL(url).origin] : []);

/** Returns the terms of an inspection. */
export const inspectionTerms = ({ settings, admin_access, base_url }: RuntimeRow, { gateway, base }: PlaneUrls): InspectionTerms => ({
  ...{ settings, admin_access, baseUrl: base_url },
  gatewayOrigins: originOf(gateway),
  // If both planes have one address, it counts as the gateway.
  controlOrigins: originOf(base).filter((origin) => !originOf(gateway).includes(origin)),
});
