import type { Agent } from '@svc/contract/agents/agents/agents.ts';
import type { AgentStatus } from '@svc/contract/tables/vocabulary.ts';
import { type Insertable, type RawBuilder, sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import type { Tables } from '../../connection/tables.ts';
import { getStandingStatus } from './standing-status.ts';

export const selectAgents = (tx: TenantTransaction, organizationId: string) =>
  tx
    .selectFrom('agents')
    .innerJoin('agent_keys as k', (join) =>
      join
        .onRef('k.organization_id', '=', 'agents.organization_id')
        .onRef('k.agent_id', '=', 'agents.id')
        .onRef('k.generation', '=', 'agents.key_generation'),
    )
    .where('agents.organization_id', '=', organizationId)
    .select([
      'agents.id',
      'agents.name',
      'agents.description',
      'agents.workspace_id',
      'agents.environment_id',
      'agents.expires_at',
      'agents.require_dpop',
    ])
    .select(getStandingStatus('agents').as('status'))
    .select(['agents.labels', 'k.public_key', 'agents.key_generation', 'agents.passport_version'])
    .select(['agents.created_at', 'agents.updated_at'])
    .select(
      sql<string[]>`array(select c.capability from agent_capabilities c
        where c.organization_id = agents.organization_id and c.agent_id = agents.id order by c.capability)`.as('capabilities'),
    )
    .select(
      sql<string | null>`(select max(s.created_at) from agent_sessions s
        where s.organization_id = agents.organization_id and s.agent_id = agents.id)`.as('last_seen_at'),
    );

export const findAgent = (tx: TenantTransaction, organizationId: string, id: string): Promise<Agent | undefined> =>
  selectAgents(tx, organizationId).where('agents.id', '=', id).executeTakeFirst();

export type LockedAgent = {
  readonly id: string;
  readonly name: string;
  readonly status: AgentStatus;
  readonly workspace_id: string;
  readonly environment_id: string;
  readonly key_generation: number;
  readonly passport_version: number;
};

/** Locks the agent, so that two changes of it happen one after the other. */
export const lockAgent = (tx: TenantTransaction, organizationId: string, id: string): Promise<LockedAgent | undefined> =>
  tx
    .selectFrom('agents')
    .select([
      'id',
      'name',
      getStandingStatus('agents').as('status'),
      'workspace_id',
      'environment_id',
      'key_generation',
      'passport_version',
    ])
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();

export const insertAgent = async (tx: TenantTransaction, agent: Insertable<Tables['agents']>): Promise<void> => {
  await tx.insertInto('agents').values(agent).execute();
};

export type AgentChange = {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly status?: AgentStatus | undefined;
  readonly expires_at?: string | null | undefined;
  readonly require_dpop?: boolean | undefined;
  readonly key_generation?: number;
  readonly passport_version?: number;
  /** Ends every session that was begun before. */
  readonly killsSessions?: boolean;
};

/** A series that no agent's token has, even if earlier revocations were lost with a former server of the database. */
export const NEXT_SERIES: RawBuilder<number> = sql`svc_next_epoch(session_series)`;

export const updateAgentRow = async (
  tx: TenantTransaction,
  organizationId: string,
  id: string,
  change: AgentChange,
  now: Date,
): Promise<void> => {
  const { labels, killsSessions, ...columns } = change;
  const given = Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
  await tx
    .updateTable('agents')
    .set({ ...given, ...(labels === undefined ? {} : { labels: JSON.stringify(labels) }), updated_at: now })
    .$if(killsSessions === true, (query) => query.set({ session_series: NEXT_SERIES }))
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
};

export type NewAgentKey = {
  readonly generation: number;
  readonly public_key: string;
  readonly thumbprint: string;
  /** The person or API key that sets it. */
  readonly made_by: string;
  /** True if they had a recent step-up. */
  readonly made_stepped_up: boolean;
};

/** Withdraws the keys in use. They are kept, to distinguish a stale assertion from a forged one and to refuse it if it is used again. */
export const retireAgentKeys = async (
  tx: TenantTransaction,
  organizationId: string,
  agentIds: readonly string[],
  now: Date,
): Promise<void> => {
  await tx
    .updateTable('agent_keys')
    .set({ retired_at: now })
    .where('organization_id', '=', organizationId)
    .where('agent_id', 'in', sql<string>`(select unnest(${[...agentIds]}::text[]))`)
    .where('retired_at', 'is', null)
    .execute();
};

/** Puts a key in use; the one before is withdrawn. */
export const addAgentKey = async (
  tx: TenantTransaction,
  organizationId: string,
  agentId: string,
  key: NewAgentKey,
  now: Date,
): Promise<void> => {
  await retireAgentKeys(tx, organizationId, [agentId], now);
  await tx
    .insertInto('agent_keys')
    .values({ organization_id: organizationId, agent_id: agentId, ...key, created_at: now })
    .execute();
};

/** Returns true if a person replaced the agent's key without a step-up: its current key is not its first, and was set that way. */
export const isTakenOver = async (tx: TenantTransaction, organizationId: string, { id, key_generation }: LockedAgent): Promise<boolean> => {
  if (key_generation === 1) return false;
  const key = await tx
    .selectFrom('agent_keys')
    .select('made_stepped_up')
    .where('organization_id', '=', organizationId)
    .where('agent_id', '=', id)
    .where('generation', '=', key_generation)
    .executeTakeFirst();
  return key?.made_stepped_up !== true;
};

/**
 * Returns true if this agent has or had the key, or any agent of the organization had it withdrawn: the holders of such a key are unknown.
 */
export const isKeyReused = async (tx: TenantTransaction, organizationId: string, agentId: string, thumbprint: string): Promise<boolean> => {
  const found = await tx
    .selectFrom('agent_keys')
    .select('generation')
    .where('organization_id', '=', organizationId)
    .where('thumbprint', '=', thumbprint)
    .where((eb) => eb.or([eb('agent_id', '=', agentId), eb('retired_at', 'is not', null)]))
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
};
