import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { denyRefusal } from '@svc/domain/actions/approvals/vote-refusal.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { readRequesters, takeVote, toldVotes } from '@svc/operations/actions/approvals/take-vote.ts';
import { decideApproval, moveHeldAction } from '@svc/postgres/actions/approvals/approval-decisions.ts';
import { findApprovalSummary } from '@svc/postgres/actions/approvals/approvals.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { ControlDeps } from '../../deps.ts';

/** One person's no ends it, however many agreed before: the held action is blocked for good. */
export const denyApproval: Handler<Endpoints['denyApproval'], ControlDeps> = async (call) => {
  const { scope, caller, now } = call;
  const { organization_id } = scope;
  const { approvalId } = call.params;
  const { reason } = call.body;
  const requesters = await readRequesters(call.database, scope, approvalId);
  return call.change(
    async ({ tx, emit }) => {
      const taken = await takeVote(tx, { scope, approvalId, caller, vote: 'DENY', comment: reason, now, requesters }, denyRefusal);
      if (isRefusal(taken)) return taken;
      const { id, action_id, agent_id } = taken.approval;
      await decideApproval(tx, organization_id, id, { status: 'DENIED', denial_reason: reason, decided_at: now });
      await moveHeldAction(tx, organization_id, action_id, { status: 'BLOCKED', code: 'APPROVAL_NOT_GRANTED', completed_at: now });
      emit('approval.denied', {
        ...about.approval(taken.approval),
        data: { action_id, agent_id, reason, votes: toldVotes(taken.votes), before: { status: 'PENDING' }, after: { status: 'DENIED' } },
      });
      return (await findApprovalSummary(tx, organization_id, id)) ?? call.refuse('NOT_FOUND');
    },
    { approval_votes_pkey: () => call.refuse('CONFLICT', 'You have voted on this approval already.') },
  );
};
