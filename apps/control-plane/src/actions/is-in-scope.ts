import type { Ports } from '@svc/enforcement/ports.ts';
import type { TenantScope } from '@svc/postgres/in-tenant.ts';

/**
 * Whether the caller may see this agent. Told by the snapshots that the decision needs anyway: where an agent is never changes,
 * so that a snapshot of any age says it right.
 */
export const isInScope = async ({ governance }: Pick<Ports, 'governance'>, scope: TenantScope, agentId: string): Promise<boolean> => {
  const agent = await governance.agent(scope.organization_id, agentId);
  if (agent === undefined) return false;
  if (scope.environment_id && scope.environment_id !== agent.environment_id) return false;
  if (!scope.workspace_id) return true;
  const environment = await governance.environment(scope.organization_id, agent.environment_id);
  return environment?.workspace_id === scope.workspace_id;
};
