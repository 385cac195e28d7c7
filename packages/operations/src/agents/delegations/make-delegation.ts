import type { NewDelegation } from '@svc/contract/agents/delegations/shapes.ts';
import { isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { AuthorityFault, Chain } from '@svc/domain/agents/delegations/delegation.ts';
import { refuseEscalation } from '@svc/domain/agents/delegations/escalation-refusal.ts';
import { findParentId, insertDelegation } from '@svc/postgres/agents/delegations/change-delegations.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { type Change, type EventActor, type KeptRefusal, keep } from '@svc/postgres/change/change.ts';
import type { TenantScope } from '@svc/postgres/connection/in-tenant.ts';
import { newId } from '@svc/program/ids/new-id.ts';
import { type DelegationAsk, type ProposalRefusal, type ProposedDelegation, proposeDelegation } from './propose-delegation.ts';

export type Making = {
  readonly scope: TenantScope;
  readonly ask: DelegationAsk;
  readonly actor: EventActor;
  readonly now: Date;
  /** Flow context of the session in which an agent delegates. Without it, the delegate inherits the labels of all its contexts. */
  readonly contextName?: string;
};

type Emitted = 'delegation.created' | 'delegation.escalation_blocked';
type Blocked = KeptRefusal<Refusal<'DELEGATION_ESCALATION'>>;

const blocked = (
  { emit }: Change<Emitted>,
  { ask }: Making,
  place: ProposedDelegation['place'],
  chain: Chain,
  fields: readonly AuthorityFault[],
): Blocked => {
  const parent = findParentId(chain);
  const it = parent === null ? about.agent({ id: ask.delegator.id, ...place }) : about.delegation({ id: parent }, place);
  const { delegator, delegate_agent_id } = ask;
  emit('delegation.escalation_blocked', { ...it, data: { operation: 'create', delegator, delegate_agent_id, fields } });
  return keep(refuseEscalation(parent, fields));
};

/** Creates a delegation or refuses it; a refused attempt to exceed the available authority is recorded too. */
export const makeDelegation = async (change: Change<Emitted>, making: Making): Promise<NewDelegation | ProposalRefusal | Blocked> => {
  const { scope, ask, actor, now, contextName = null } = making;
  const proposed = await proposeDelegation(change.tx, scope, ask, { now, lock: true });
  if (isRefusal(proposed)) return proposed;
  const { plan, place, warnings } = proposed;
  if (plan.outcome === 'escalates') return blocked(change, making, place, plan.chain, plan.faults);
  const { delegator, delegate_agent_id } = ask;
  const { organization_id } = scope;
  const { chain, bounds } = plan;
  const id = newId('delegation');
  const made = await insertDelegation(change.tx, {
    ...{ organization_id, id, delegator, delegate_agent_id, chain, bounds, contextName, actor, now },
  });
  const { parent_id, depth } = made;
  change.emit('delegation.created', {
    ...about.delegation({ id }, place),
    data: { parent_id, delegator, delegate_agent_id, after: { ...bounds, depth } },
  });
  return { ...made, warnings: warnings.map(({ fields, ...rest }) => ({ ...rest, fields: [...fields] })) };
};
