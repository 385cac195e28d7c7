import type { Runtime } from '@svc/contract/runtimes/runtimes/runtime-shapes.ts';
import type { ConnectionHealth, RuntimeKind } from '@svc/contract/runtimes/runtimes/vocabulary.ts';

export type { Runtime };

export const KIND_WORDS: Readonly<Record<RuntimeKind, string>> = {
  WORKFLOW_AUTOMATION: 'Workflow automation',
  WORKFLOW_AUTOMATION_MANAGED: 'Workflow automation, managed',
  MCP_CLIENT: 'MCP client',
  API_PLATFORM: 'API platform',
  SDK_PROGRAM: 'Program with the SDK',
};

export const HEALTH_WORDS: Readonly<Record<ConnectionHealth, string>> = {
  UNKNOWN: 'Not tested',
  HEALTHY: 'Healthy',
  DEGRADED: 'Degraded',
  UNAUTHORIZED: 'Key refused',
  UNREACHABLE: 'Unreachable',
};

/** Kinds that the service connects to with an address and an API key. Others are seen through reports. */
export const CONNECTS: ReadonlySet<RuntimeKind> = new Set(['WORKFLOW_AUTOMATION', 'WORKFLOW_AUTOMATION_MANAGED']);

/** Counts open findings by severity, gravest first. */
export const describeFindings = ({ findings }: Pick<Runtime, 'findings'>): string => {
  const open = (['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'] as const).flatMap((severity) => {
    const count = findings.open[severity] ?? 0;
    return count === 0 ? [] : [`${count} ${severity.toLowerCase()}`];
  });
  return open.length === 0 ? 'None' : open.join(', ');
};

/** Labels of the results of evidence. */
export const HOLDS = { true: 'Yes', false: 'No', null: 'Not observed' } as const;
