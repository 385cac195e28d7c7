import type { AgentStatus } from '@svc/contract/tables/vocabulary.ts';
import {
  type Chain,
  DELEGATIONS_PER_AGENT_MAX,
  type DelegationLink,
  type DelegationNode,
} from '@svc/domain/agents/delegations/delegation.ts';
import { ownGrants } from '@svc/domain/agents/delegations/own-grants.ts';
import { type ChainFault, walkChain } from '@svc/domain/agents/delegations/walk-chain.ts';
import { type RawBuilder, sql } from 'kysely';

type StoredLink = Omit<DelegationNode, 'scope' | 'ceiling' | 'delegator'> &
  DelegationNode['scope'] &
  DelegationNode['ceiling'] & { readonly delegator_user_id: string | null; readonly delegator_agent_id: string | null };
type Holder = {
  readonly id: string;
  readonly status: AgentStatus;
  readonly expires_at: string | null;
  readonly capabilities: readonly string[];
  readonly is_delegated: boolean;
};

/** Rows of the delegations to one agent and of all above them, with what each agent among them holds. */
export type StoredChains = { readonly own: readonly string[]; readonly links: readonly StoredLink[]; readonly holders: readonly Holder[] };

/**
 * Returns the chains of an agent as one JSON value, to be read in one snapshot with the rest of the statement. Ended delegations are kept
 * for a
 * while, so that a request that names one gets the reason; those in force come first if there are more than the maximum, and of these
 * those of people: other agents never displace what binds this one. One with an inconsistent end has no
 * status, and one with an unknown status is read too: a bound on an agent is never skipped.
 */
export const storedChains = (organizationId: string, agentId: string): RawBuilder<StoredChains> => sql<StoredChains>`(
  with own as materialized (
    select d.id, d.path from delegations d
     where d.organization_id = ${organizationId} and d.delegate_agent_id = ${agentId}
       and (d.status not in ('REVOKED', 'EXPIRED') or d.ended_at is null or d.ended_at > now() - interval '30 days')
     order by d.status = 'ACTIVE' and (d.expires_at is null or d.expires_at > now()) desc, d.delegator_user_id is not null desc,
       d.created_at desc, d.id
     limit ${DELEGATIONS_PER_AGENT_MAX}),
  links as materialized (
    select l.* from delegations l
     where l.organization_id = ${organizationId}
       and l.id in (select unnest(string_to_array(o.path, '/')) from own o))
  select json_build_object(
    'own', array(select o.id from own o),
    'links', coalesce((select json_agg(json_build_object(
        'id', l.id, 'parent_id', l.parent_id, 'delegator_user_id', l.delegator_user_id, 'delegator_agent_id', l.delegator_agent_id,
        'delegate_agent_id', l.delegate_agent_id, 'capabilities', l.capabilities, 'tools', l.tools, 'environments', l.environments,
        'destinations', l.destinations, 'max_amount', l.max_amount, 'currency', l.currency, 'max_calls', l.max_calls,
        'window_seconds', l.window_seconds, 'expires_at', l.expires_at, 'can_redelegate', l.can_redelegate, 'max_depth', l.max_depth,
        'backing', l.backing, 'status', case when (l.status = 'ACTIVE') = (l.ended_at is null) then l.status end)) from links l), '[]'),
    'holders', coalesce((select json_agg(json_build_object('id', a.id, 'status', a.status, 'expires_at', a.expires_at, 'is_delegated', exists (
        select from delegations r where r.organization_id = a.organization_id and r.delegate_agent_id = a.id and r.status = 'ACTIVE'
           and r.delegator_user_id is not null), 'capabilities', array(
        select c.capability from agent_capabilities c
         where c.organization_id = a.organization_id and c.agent_id = a.id order by c.capability)))
      from agents a where a.organization_id = ${organizationId} and a.id in (
        select delegate_agent_id from links union all select delegator_agent_id from links where parent_id is null)), '[]')))`;

/** JSON carries times as the database spells them. */
const isoTime = (text: string | null): string | null => (text === null ? null : new Date(text).toISOString());

const getLink = (row: StoredLink, holders: ReadonlyMap<string, Holder>): DelegationLink[] => {
  const delegate = holders.get(row.delegate_agent_id);
  const { delegator_user_id, delegator_agent_id, capabilities, tools, environments, destinations, ...rest } = row;
  const { max_amount, currency, max_calls, window_seconds, ...plain } = rest;
  if (delegate === undefined) return [];
  return [
    {
      ...plain,
      expires_at: isoTime(row.expires_at),
      delegator: delegator_user_id === null ? { type: 'AGENT', id: delegator_agent_id ?? '' } : { type: 'USER', id: delegator_user_id },
      scope: { capabilities, tools, environments, destinations },
      ceiling: { max_amount, currency, max_calls, window_seconds },
      delegate,
    },
  ];
};

/** Adds an agent's delegations of its own grants below them. */
const belowGrants = (link: DelegationLink, holders: ReadonlyMap<string, Holder>): DelegationLink[] => {
  const holder = link.parent_id === null && link.delegator.type === 'AGENT' ? holders.get(link.delegator.id) : undefined;
  return holder === undefined ? [link] : [ownGrants(holder.id, holder), { ...link, parent_id: holder.id }];
};

/** Returns each delegation of the agent with all that is above it, or with the fault of its chain. In the order of their ids. */
export const buildChains = ({ own, links, holders }: StoredChains): ReadonlyMap<string, Chain | ChainFault> => {
  const known = new Map(holders.map((holder) => [holder.id, holder]));
  const byId = new Map(
    links
      .flatMap((row) => getLink(row, known))
      .flatMap((link) => belowGrants(link, known))
      .map((link) => [link.id, link]),
  );
  return new Map([...own].sort().map((id) => [id, walkChain(id, byId)]));
};
