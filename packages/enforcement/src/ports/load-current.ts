import { buildRefusal, isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { AgentSnapshot, EnvironmentSnapshot } from '../facts/snapshots.ts';
import { type Asked, failClosed } from './fail-closed.ts';
import type { Ports } from './ports.ts';

export type Current = { readonly agent: AgentSnapshot; readonly environment: EnvironmentSnapshot };

/** Loads an agent and its environment through the cache. */
export const loadCached = (ports: Ports, asked: Asked, organizationId: string, agentId: string): Promise<Current | undefined | Refusal> =>
  failClosed('IDENTITY_SERVICE_UNAVAILABLE', ports, asked, async () => {
    const agent = await ports.governance.agent(organizationId, agentId);
    const environment = agent && (await ports.governance.environment(organizationId, agent.environment_id));
    return agent && environment ? { agent, environment } : undefined;
  });

/** Checks that cached snapshots are current; drops them otherwise. `unproven`: source of the request until the agent is authenticated. */
export const isSnapshotCurrent = async (
  ports: Ports,
  asked: Asked,
  { agent, environment }: Current,
  unproven?: string,
): Promise<boolean | Refusal> => {
  const ask = () => ports.governance.isCurrent(environment, agent, unproven);
  const stands = await failClosed('IDENTITY_SERVICE_UNAVAILABLE', ports, asked, ask);
  if (stands === false) ports.governance.forget(environment, agent);
  return stands;
};

const ATTEMPTS_MAX = 8;

/** Loads the current agent and environment: cached snapshots are checked, and loaded again if they changed. */
export const loadCurrent = async (
  ports: Ports,
  asked: Asked,
  organizationId: string,
  agentId: string,
): Promise<Current | undefined | Refusal> => {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const cached = await loadCached(ports, asked, organizationId, agentId);
    if (!cached || isRefusal(cached)) return cached;
    const stands = await isSnapshotCurrent(ports, asked, cached);
    if (isRefusal(stands)) return stands;
    if (stands) return cached;
  }
  return buildRefusal('IDENTITY_SERVICE_UNAVAILABLE');
};
