import type { Delegation } from '@svc/contract/agents/delegations/shapes.ts';
import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { isId } from '@svc/contract/tables/ids.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { isFinal } from '@svc/domain/agents/agents/final-status.ts';
import { chainsToNarrow } from '@svc/domain/agents/delegations/chains-to-narrow.ts';
import { DELEGATIONS_PER_AGENT_MAX } from '@svc/domain/agents/delegations/delegation.ts';
import { findRequestFaults } from '@svc/domain/agents/delegations/delegation-request-faults.ts';
import { type DelegationWarning, listDelegationWarnings } from '@svc/domain/agents/delegations/delegation-warnings.ts';
import { type DelegationPlan, type Proposal, planDelegation, planRoot } from '@svc/domain/agents/delegations/plan-delegation.ts';
import { countStanding } from '@svc/postgres/agents/delegations/delegations.ts';
import { isOneMissing } from '@svc/postgres/agents/delegations/is-one-missing.ts';
import { type EnvironmentScope, lockParties, type Party } from '@svc/postgres/agents/delegations/lock-parties.ts';
import { readDelegate } from '@svc/postgres/agents/delegations/read-delegate.ts';
import { takeHeld } from '@svc/postgres/agents/delegations/take-held.ts';
import type { TenantScope, TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { inWholeOrganization } from '@svc/postgres/connection/in-whole-organization.ts';
import { getConversionAt } from '../../money/fx-rates/exchange-at.ts';

export type DelegationAsk = Proposal & {
  readonly delegator: Delegation['delegator'];
  readonly parent_id: string | null;
};

export type ProposedDelegation = {
  readonly plan: Exclude<DelegationPlan, { outcome: 'refused' }>;
  readonly place: EnvironmentScope;
  readonly warnings: readonly DelegationWarning[];
};

export type ProposalRefusal = Refusal<'NOT_FOUND' | 'VALIDATION_FAILED' | 'DELEGATION_INVALID' | 'DELEGATION_EXPIRED' | 'UNPROCESSABLE'>;

/** Mode of a proposal: with everything above locked to create it, or only to preview it. */
export type ProposalMode = { readonly now: Date; readonly lock: boolean };

/** Returns an environment or tool id that the caller cannot see. Tool names may be registered later. */
const readStranger = async (tx: TenantTransaction, organizationId: string, { scope }: Proposal): Promise<ProposalRefusal | undefined> => {
  if (await isOneMissing(tx, organizationId, 'environments', scope?.environments ?? []))
    return buildRefusal('NOT_FOUND', 'The environment does not exist.');
  const toolIds = (scope?.tools ?? []).filter((text) => isId('tool', text));
  return (await isOneMissing(tx, organizationId, 'tools', toolIds)) ? buildRefusal('NOT_FOUND', 'The tool does not exist.') : undefined;
};

const readPlan = async (
  tx: TenantTransaction,
  organizationId: string,
  ask: DelegationAsk,
  { now, lock }: ProposalMode,
): Promise<DelegationPlan> => {
  const exchange = await getConversionAt(tx, organizationId, now);
  if (ask.delegator.type === 'USER') return planRoot(ask, exchange);
  const held = await takeHeld(tx, { organizationId, agentId: ask.delegator.id, parentId: ask.parent_id, lock });
  const chains = chainsToNarrow(held, ask.parent_id, now);
  if ('fault' in chains) {
    const reason = `The chain above is broken: a delegation in it ${chains.fault}.`;
    return { outcome: 'refused', code: 'DELEGATION_INVALID', reason, delegation_id: chains.delegation_id };
  }
  return planDelegation(chains, ask, exchange);
};

const tooMany = async (
  tx: TenantTransaction,
  organizationId: string,
  ask: DelegationAsk,
  now: Date,
): Promise<ProposalRefusal | undefined> => {
  const from = ask.delegator.type === 'AGENT' ? ask.delegator.id : null;
  const { pair, delegate } = await countStanding(tx, organizationId, from, ask.delegate_agent_id, now);
  if (pair >= LIMITS.delegations.perPairMax)
    return buildRefusal('UNPROCESSABLE', 'There are too many delegations between these two agents; revoke some first.', { standing: pair });
  return delegate < DELEGATIONS_PER_AGENT_MAX
    ? undefined
    : buildRefusal('UNPROCESSABLE', 'There are too many delegations to this agent; revoke some first.', { standing: delegate });
};

const readWhole = async (
  tx: TenantTransaction,
  organizationId: string,
  ask: DelegationAsk,
  delegate: Party,
  asking: ProposalMode,
): Promise<ProposedDelegation | ProposalRefusal> => {
  const plan = await readPlan(tx, organizationId, ask, asking);
  if (plan.outcome === 'refused') return buildRefusal(plan.code, plan.reason, { delegation_id: plan.delegation_id });
  const faults = findRequestFaults(ask, plan.bounds, asking.now);
  if (faults.length > 0) return buildRefusal('VALIDATION_FAILED', 'The body is not valid.', { faults });
  const { workspace_id, environment_id } = delegate;
  const refused = await tooMany(tx, organizationId, ask, asking.now);
  if (refused) return refused;
  const held = await readDelegate(tx, organizationId, ask.delegate_agent_id, asking.now);
  const warnings = listDelegationWarnings(plan.bounds, held, ask.delegator.type === 'USER');
  return { plan, place: { workspace_id, environment_id }, warnings };
};

/** Evaluates a proposal with everything it depends on, locked if it is to be created. */
export const proposeDelegation = async (
  tx: TenantTransaction,
  scope: TenantScope,
  ask: DelegationAsk,
  asking: ProposalMode,
): Promise<ProposedDelegation | ProposalRefusal> => {
  const { organization_id } = scope;
  const delegate = await lockParties(tx, scope, ask, asking.lock);
  if (!delegate) return buildRefusal('NOT_FOUND', 'The agent does not exist.');
  if (isFinal(delegate.status))
    return buildRefusal('DELEGATION_INVALID', `The agent is ${delegate.status}, which is final.`, {
      delegate_agent_id: ask.delegate_agent_id,
    });
  const stranger = await readStranger(tx, organization_id, ask);
  if (stranger) return stranger;
  return await inWholeOrganization(tx, scope, () => readWhole(tx, organization_id, ask, delegate, asking));
};
