import type { NewDelegation } from '@svc/contract/agents/delegations/shapes.ts';
import { isRefusal, type Refusal, refusal } from '@svc/contract/rows/refusal.ts';
import type { AuthorityFault, Chain } from '@svc/domain/agents/delegations/delegation.ts';
import { insertDelegation, parentIdOf } from '@svc/postgres/agents/delegations/change-delegations.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { type Actor, type Change, type Kept, keep } from '@svc/postgres/change/change.ts';
import type { TenantScope } from '@svc/postgres/connection/in-tenant.ts';
import { type DelegationAsk, type Proposed, proposeDelegation } from './propose-delegation.ts';

const MAY_NOT_BE_PASSED_ON =
  'The delegation above was made without can_redelegate, so it is the last of its chain; whoever made it can make another with can_redelegate and max_depth.';

const isLastOfChain = ({ field, parent, asked }: AuthorityFault): boolean => field === 'can_redelegate' && parent === asked;

/** Each field that was asked for beyond what may be given, with the value that bounds it. */
export const escalationRefusal = (parentId: string | null, fields: readonly AuthorityFault[]): Refusal<'DELEGATION_ESCALATION'> => {
  const [only] = fields;
  const sentence =
    only && fields.length === 1 && isLastOfChain(only)
      ? MAY_NOT_BE_PASSED_ON
      : `This asks for more than was given in ${fields.map(({ field }) => field).join(', ')}.`;
  return refusal('DELEGATION_ESCALATION', sentence, { parent_id: parentId, fields });
};

export type Making = {
  readonly scope: TenantScope;
  readonly ask: DelegationAsk;
  readonly actor: Actor;
  readonly now: Date;
  readonly newId: () => string;
};

type Emitted = 'delegation.created' | 'delegation.escalation_blocked';

const blocked = (
  { emit }: Change<Emitted>,
  { ask }: Making,
  place: Proposed['place'],
  chain: Chain,
  fields: readonly AuthorityFault[],
): Kept<Refusal<'DELEGATION_ESCALATION'>> => {
  const parent = parentIdOf(chain);
  const it = parent === null ? about.agent({ id: ask.delegator.id, ...place }) : about.delegation({ id: parent }, place);
  const { delegator, delegate_agent_id } = ask;
  emit('delegation.escalation_blocked', { ...it, data: { operation: 'create', delegator, delegate_agent_id, fields } });
  return keep(escalationRefusal(parent, fields));
};

/** Makes a delegation, or refuses it; an attempt to get more than there is goes on record although nothing comes of it. */
export const makeDelegation = async (
  change: Change<Emitted>,
  making: Making,
): Promise<NewDelegation | Exclude<Awaited<ReturnType<typeof proposeDelegation>>, Proposed> | ReturnType<typeof blocked>> => {
  const { scope, ask, actor, now } = making;
  const proposed = await proposeDelegation(change.tx, scope, ask, { now, lock: true });
  if (isRefusal(proposed)) return proposed;
  const { plan, place, warnings } = proposed;
  if (plan.outcome === 'escalates') return blocked(change, making, place, plan.chain, plan.faults);
  const { delegator, delegate_agent_id } = ask;
  const { organization_id } = scope;
  const { chain, bounds } = plan;
  const made = await insertDelegation(change.tx, {
    organization_id,
    id: making.newId(),
    delegator,
    delegate_agent_id,
    chain,
    bounds,
    actor,
    now,
  });
  const { id, parent_id, ...after } = made;
  change.emit('delegation.created', {
    ...about.delegation({ id }, place),
    data: { parent_id, delegator, delegate_agent_id, after: { ...bounds, depth: after.depth } },
  });
  return { ...made, warnings: warnings.map(({ fields, ...rest }) => ({ ...rest, fields: [...fields] })) };
};
