import { isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { type Asked, failClosed } from '@svc/enforcement/ports/fail-closed.ts';
import type { Ports } from '@svc/enforcement/ports/ports.ts';
import type { TenantScope } from '@svc/postgres/connection/in-tenant.ts';

type InScope = boolean | Refusal<'IDENTITY_SERVICE_UNAVAILABLE' | 'POLICY_SERVICE_UNAVAILABLE'>;

/**
 * True if the caller may see this agent. Reads the snapshots that the decision needs anyway: the scope of an agent never changes, so a
 * snapshot of any age is correct.
 */
export const isInScope = async (
  ports: Pick<Ports, 'governance' | 'onBreakage'>,
  asked: Asked,
  scope: TenantScope,
  agentId: string,
): Promise<InScope> => {
  const agent = await failClosed('IDENTITY_SERVICE_UNAVAILABLE', ports, asked, () =>
    ports.governance.agent(scope.organization_id, agentId),
  );
  if (isRefusal(agent)) return agent;
  if (agent === undefined) return false;
  if (scope.environment_id && scope.environment_id !== agent.environment_id) return false;
  const { workspace_ids } = scope;
  if (!workspace_ids) return true;
  const { environment_id } = agent;
  const environment = await failClosed('POLICY_SERVICE_UNAVAILABLE', ports, asked, () =>
    ports.governance.environment(scope.organization_id, environment_id),
  );
  if (isRefusal(environment)) return environment;
  return environment !== undefined && workspace_ids.includes(environment.workspace_id);
};
