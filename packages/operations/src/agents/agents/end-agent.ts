import type { Agent } from '@svc/contract/agents/agents/agents.ts';
import { isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { cancelApprovals } from '@svc/postgres/actions/approvals/cancel-approvals.ts';
import { lockAgent, retireAgentKey } from '@svc/postgres/agents/agents/agents.ts';
import { findCurrentPassport } from '@svc/postgres/agents/agents/passports.ts';
import { endTaken, type TakenDelegations, takeDelegationsOf } from '@svc/postgres/agents/delegations/end-delegations.ts';
import { inWholeOrganization } from '@svc/postgres/agents/delegations/in-whole-organization.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { TenantScope } from '@svc/postgres/connection/in-tenant.ts';
import { tellOfRevoked } from '../delegations/tell-of-ended.ts';
import { changeLifecycle, lifecycleEvent } from './change-lifecycle.ts';

/** How many approvals, and how many delegations, end in one change. */
const BATCH_MAX = 1_000;

export type Ending = { readonly scope: TenantScope; readonly agentId: string; readonly reason: string; readonly now: Date };

/** Withdraws its open approvals, a batch at a time. Answers whether there may be more. */
export const cancelApprovalsOf = async (
  { tx, emit }: Change<'approval.cancelled'>,
  { scope, agentId: agent_id, reason, now }: Ending,
): Promise<boolean> => {
  const as = { code: 'AGENT_IDENTITY_REVOKED', now, limit: BATCH_MAX };
  const cancelled = await cancelApprovals(tx, scope.organization_id, { column: 'agent_id', id: agent_id }, as);
  for (const approval of cancelled) {
    const { action_id, was, votes } = approval;
    const states = { before: { status: was }, after: { status: 'CANCELLED' } };
    emit('approval.cancelled', { ...about.approval(approval), data: { action_id, agent_id, votes, ...states, reason } });
  }
  return cancelled.length === BATCH_MAX;
};

const takeBatch = ({ tx }: Change<never>, { scope, agentId }: Ending): Promise<TakenDelegations> =>
  inWholeOrganization(tx, scope, () => takeDelegationsOf(tx, scope.organization_id, agentId, BATCH_MAX));

const revokeTaken = async ({ tx, emit }: Change<'delegation.revoked'>, ending: Ending, taken: TakenDelegations): Promise<boolean> => {
  const { scope, agentId, reason, now } = ending;
  const end = { status: 'REVOKED', reason, now } as const;
  const ended = await inWholeOrganization(tx, scope, () => endTaken(tx, scope.organization_id, taken, end));
  tellOfRevoked(emit, ended, { reason, because: agentId });
  return ended.length > 0;
};

/** Ends what was delegated to it and what it handed on, with all below, a batch at a time. Answers whether there may be more. */
export const revokeDelegationsOf = async (change: Change<'delegation.revoked'>, ending: Ending): Promise<boolean> =>
  await revokeTaken(change, ending, await takeBatch(change, ending));

type Ended = 'agent.revoked' | 'passport.revoked' | 'approval.cancelled' | 'delegation.revoked';

/**
 * The end of an identity: no session, no open approval, no delegation, no passport and no use of its key outlives it. Of approvals and
 * delegations a batch ends with it, and the rest by `cancelApprovalsOf` and `revokeDelegationsOf`, repeated while there may be more.
 */
export const endAgent = async (
  change: Change<Ended>,
  ending: Ending,
): Promise<Agent | Refusal<'NOT_FOUND' | 'INVALID_STATE_TRANSITION'>> => {
  const { tx, emit } = change;
  const { scope, agentId, reason, now } = ending;
  const { organization_id: organizationId } = scope;
  await lockAgent(tx, organizationId, agentId);
  // Held before anything is written: who writes holds epochs, and nobody who holds those waits for a row.
  const delegations = await takeBatch(change, ending);
  const changed = await changeLifecycle(tx, { organizationId, agentId, operation: 'revoke', now });
  if (isRefusal(changed)) return changed;
  await retireAgentKey(tx, organizationId, agentId, now);
  emit('agent.revoked', lifecycleEvent(changed, reason));
  const passport = await findCurrentPassport(tx, organizationId, agentId);
  if (passport) {
    const data = { agent_id: agentId, version: passport.version, reason };
    emit('passport.revoked', { ...about.passport({ id: passport.id }, changed.agent), data });
  }
  await cancelApprovalsOf(change, ending);
  await revokeTaken(change, ending, delegations);
  return changed.agent;
};
