import { type PreparedLinks, type ReadyChain, readyChain } from '@svc/domain/agents/delegations/ready-chain.ts';
import { isChainFault } from '@svc/domain/agents/delegations/walk-chain.ts';
import type { AgentSnapshot } from '@svc/enforcement/facts/snapshots.ts';
import { sql } from 'kysely';
import type { Database } from '../connection/connect.ts';
import { readInTenant } from '../connection/in-tenant.ts';
import { evidenceFacts } from '../risk/trust/evidence-facts.ts';
import { mustFitAgent, mustFitChains } from './fit-agent.ts';
import { buildChains, type StoredChains, storedChains } from './read-chains.ts';

type Row = Omit<AgentSnapshot, 'capabilities' | 'tool_ids' | 'ended_sessions' | 'keys' | 'chains' | 'root_chains'> & {
  readonly keys: AgentSnapshot['keys'];
  readonly tool_ids: readonly string[];
  readonly ended_sessions: readonly string[];
  readonly stored_chains: StoredChains;
};

/** Uncounted chains come first: a decision under one needs no slot in a counted ceiling. */
const inOrder = (one: ReadyChain, other: ReadyChain): number => Number(one.isCounted) - Number(other.isCounted);

const prepareChains = ({ stored_chains, capability_names }: Row): Pick<AgentSnapshot, 'chains' | 'root_chains'> => {
  // A link above many chains is prepared once for all of them.
  const prepared: PreparedLinks = new Map();
  const chains = new Map(
    [...buildChains(stored_chains)].map(([id, chain]) => [id, isChainFault(chain) ? chain : readyChain(capability_names, chain, prepared)]),
  );
  const roots = [...chains.values()].filter((chain): chain is ReadyChain => !isChainFault(chain) && chain.chain.length === 1);
  return { chains, root_chains: roots.sort(inOrder) };
};

/**
 * Loads everything a decision reads about an agent. One statement, so one snapshot: the epoch belongs to exactly these values. An existing
 * agent
 * without an epoch is unfit for decisions.
 */
export const loadAgent = async (database: Database, organizationId: string, agentId: string): Promise<AgentSnapshot | undefined> => {
  const { rows } = await readInTenant(database, { organization_id: organizationId }, (tx) =>
    sql<Row>`
      select a.organization_id, a.environment_id, a.id as agent_id, a.name, a.status, a.expires_at, a.labels, a.created_at, a.require_dpop, a.key_generation,
             a.passport_version, a.session_series, e.epoch, p.expires_at as passport_expires_at,
             (select k.created_at from agent_keys k where k.organization_id = a.organization_id and k.agent_id = a.id
                 and k.generation = a.key_generation) as key_created_at,
             coalesce((select json_agg(json_build_object('generation', k.generation, 'public_key', k.public_key) order by k.generation)
                         from agent_keys k where k.organization_id = a.organization_id and k.agent_id = a.id), '[]') as keys,
             array(select c.capability from agent_capabilities c
                    where c.organization_id = a.organization_id and c.agent_id = a.id order by c.capability) as capability_names,
             array(select t.tool_id from tool_agents t where t.organization_id = a.organization_id and t.agent_id = a.id) as tool_ids,
             (select json_object_agg(t.tool_id, t.authorized_at) from tool_agents t where t.organization_id = a.organization_id
                 and t.agent_id = a.id and t.authorized_at > now() - interval '1 day') as new_tools,
             array(select s.session_id from ended_agent_sessions s
                    where s.organization_id = a.organization_id and s.agent_id = a.id) as ended_sessions,
             exists (select from agent_contexts x where x.organization_id = a.organization_id and x.agent_id = a.id)
               or exists (select from delegations d where d.organization_id = a.organization_id and d.delegate_agent_id = a.id
                 and d.delegator_agent_id is not null) as has_contexts,
             coalesce((select json_agg(json_build_object('runtime_id', r.id, 'name', r.name, 'kind', r.kind, 'status', r.status,
                         'fail_closed', r.fail_closed, 'settings', r.settings, 'enforcement_forecast', r.enforcement_forecast) order by r.id)
                         from runtimes r where r.organization_id = a.organization_id and r.agent_id = a.id), '[]') as runtimes,
             ${evidenceFacts(sql`a`)} as evidence,
             ${storedChains(organizationId, agentId)} as stored_chains
        from agents a
        left join agent_epochs e on e.organization_id = a.organization_id and e.agent_id = a.id
        left join passports p on p.organization_id = a.organization_id and p.agent_id = a.id and p.version = a.passport_version
       where a.organization_id = ${organizationId} and a.id = ${agentId}`.execute(tx),
  );
  const row = rows[0];
  if (!row) return undefined;
  const { stored_chains, ...plain } = row;
  mustFitAgent(row);
  mustFitChains(stored_chains);
  return {
    ...plain,
    capabilities: new Set(row.capability_names),
    tool_ids: new Set(row.tool_ids),
    ended_sessions: new Set(row.ended_sessions),
    ...prepareChains(row),
  };
};
