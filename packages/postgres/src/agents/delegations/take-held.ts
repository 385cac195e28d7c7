import type { DelegableAuthority } from '@svc/domain/agents/delegations/chains-to-narrow.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { buildChains, type StoredChains, storedChains } from '../../governance/read-chains.ts';

export type DelegableAuthorityQuery = {
  readonly organizationId: string;
  /** The delegating agent. */
  readonly agentId: string;
  /** Without one: any delegation from a person to the agent, and if none is in force, its own grants. */
  readonly parentId: string | null;
  /** Held until the transaction ends, so that nothing above is reduced or ended meanwhile; false only looks. */
  readonly lock: boolean;
};

/** Always from the root down: who changes a delegation locks it before what hangs below it. */
const lockAbove = (tx: TenantTransaction, { organizationId, agentId, parentId }: DelegableAuthorityQuery) =>
  parentId === null
    ? sql`select from delegations where organization_id = ${organizationId} and delegate_agent_id = ${agentId} and parent_id is null
             and status = 'ACTIVE' order by id for share`.execute(tx)
    : sql`select from delegations where organization_id = ${organizationId} and id = any (string_to_array((
             select path from delegations where organization_id = ${organizationId} and id = ${parentId}), '/'))
           order by depth for share`.execute(tx);

type Row = Omit<DelegableAuthority, 'agentId' | 'chains'> & { readonly stored: StoredChains };

const readHeld = async (tx: TenantTransaction, { organizationId, agentId }: DelegableAuthorityQuery): Promise<DelegableAuthority> => {
  const { rows } = await sql<Row>`
    select a.status, ${storedChains(organizationId, agentId)} as stored, array(select c.capability from agent_capabilities c
             where c.organization_id = a.organization_id and c.agent_id = a.id order by c.capability) as capabilities
      from agents a where a.organization_id = ${organizationId} and a.id = ${agentId}`.execute(tx);
  const [row] = rows;
  if (row === undefined) throw new Error('an agent that was just locked is not there');
  const { stored, ...held } = row;
  return { ...held, agentId, chains: buildChains(stored) };
};

/** Returns the authority that an agent can delegate. Needs the whole organization. */
export const takeHeld = async (tx: TenantTransaction, taking: DelegableAuthorityQuery): Promise<DelegableAuthority> => {
  if (taking.lock) await lockAbove(tx, taking);
  // A separate statement, so that it reads the rows that the lock waited for.
  return await readHeld(tx, taking);
};
