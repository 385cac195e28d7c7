import { isId } from '@svc/contract/tables/ids.ts';
import { type AgentHome, findAgentHome } from '@svc/postgres/agents/identity/find-agent-home.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { LRUCache } from 'lru-cache';

export type AgentHomes = (agentId: string) => Promise<AgentHome | undefined>;

const REMEMBERED_MAX = 50_000;

/** Finds the organization of an agent. It never changes, so it is cached (LRU); an unknown agent is not. */
export const newAgentHomes = (identity: Database): AgentHomes => {
  const known = new LRUCache<string, AgentHome>({ max: REMEMBERED_MAX });
  return async (agentId) => {
    const remembered = known.get(agentId);
    if (remembered || !isId('agent', agentId)) return remembered;
    const home = await findAgentHome(identity, agentId);
    if (home) known.set(agentId, home);
    return home;
  };
};
