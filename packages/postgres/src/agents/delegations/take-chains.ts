import type { AgentStatus } from '@svc/contract/tables/vocabulary.ts';
import { chainRefusal } from '@svc/domain/agents/delegations/chain-standing.ts';
import type { Chain } from '@svc/domain/agents/delegations/delegation.ts';
import { ownGrants } from '@svc/domain/agents/delegations/own-grants.ts';
import { type ChainFault, isChainFault } from '@svc/domain/agents/delegations/walk-chain.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { chainsOf, type StoredChains, storedChains } from '../../governance/read-chains.ts';

/** The first of them is the one to be narrowed, whether or not it holds. */
export type TakenChains = readonly [Chain, ...Chain[]] | ChainFault;

export type Taking = {
  readonly organizationId: string;
  /** Who hands on. */
  readonly agentId: string;
  /** Without one: any delegation that a person made out to the agent, and when none holds, what it was granted. */
  readonly parentId: string | null;
  readonly now: Date;
  /** Held until the transaction ends, so that nothing above is reduced or ended meanwhile; false only looks. */
  readonly lock: boolean;
};

/** Always from the root down: who changes a delegation locks it before what hangs below it. */
const lockAbove = (tx: TenantTransaction, { organizationId, agentId, parentId }: Taking) =>
  parentId === null
    ? sql`select from delegations where organization_id = ${organizationId} and delegate_agent_id = ${agentId} and parent_id is null
             and status = 'ACTIVE' order by id for share`.execute(tx)
    : sql`select from delegations where organization_id = ${organizationId} and id = any (string_to_array((
             select path from delegations where organization_id = ${organizationId} and id = ${parentId}), '/'))
           order by depth for share`.execute(tx);

type Held = { readonly status: AgentStatus; readonly capabilities: readonly string[]; readonly stored: StoredChains };

const readHeld = async (tx: TenantTransaction, { organizationId, agentId }: Taking): Promise<Held> => {
  const { rows } = await sql<Held>`
    select a.status, ${storedChains(organizationId, agentId)} as stored, array(select c.capability from agent_capabilities c
             where c.organization_id = a.organization_id and c.agent_id = a.id order by c.capability) as capabilities
      from agents a where a.organization_id = ${organizationId} and a.id = ${agentId}`.execute(tx);
  const [held] = rows;
  if (held === undefined) throw new Error('an agent that was just locked is not there');
  return held;
};

/** What a new delegation of an agent may hang below. Wants to look at the whole organization. */
export const takeChains = async (tx: TenantTransaction, taking: Taking): Promise<TakenChains> => {
  if (taking.lock) await lockAbove(tx, taking);
  // A statement of its own, so that it reads what the lock waited for.
  const { status, capabilities, stored } = await readHeld(tx, taking);
  const chains = chainsOf(stored);
  if (taking.parentId !== null) {
    const chain = chains.get(taking.parentId) ?? { fault: 'ended long ago', delegation_id: taking.parentId };
    return isChainFault(chain) ? chain : [chain];
  }
  const standing = [...chains.values()].filter(
    (chain): chain is Chain => !isChainFault(chain) && chain.length === 1 && chainRefusal(chain, taking.now) === undefined,
  );
  const [first, ...rest] = standing;
  return first ? [first, ...rest] : [[ownGrants(taking.agentId, { status, capabilities })]];
};
