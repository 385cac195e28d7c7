import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/refusal.ts';
import { countApprovers } from '@svc/domain/approvals/quorum.ts';
import { approveRefusal } from '@svc/domain/approvals/vote-refusal.ts';
import type { Handler } from '@svc/http/call.ts';
import { decideApproval, moveHeldAction } from '@svc/postgres/approval-decisions.ts';
import { findApprovalSummary } from '@svc/postgres/approvals.ts';
import type { ControlDeps } from '../deps.ts';
import { readRequesters, takeVote } from './take-vote.ts';

/** One person's yes. The vote that completes the quorum approves the held action; it still has to pass the pipeline when it runs. */
export const approveApproval: Handler<Endpoints['approveApproval'], ControlDeps> = async (call) => {
  const { scope, caller, now } = call;
  const { organization_id } = scope;
  const { approvalId } = call.params;
  const comment = call.body.comment ?? null;
  const requesters = await readRequesters(call.database, scope, approvalId);
  return call.change(
    async ({ tx, emit }) => {
      const taken = await takeVote(tx, { scope, approvalId, caller, vote: 'APPROVE', comment, now, requesters }, approveRefusal);
      if (isRefusal(taken)) return taken;
      const { approval, votes } = taken;
      const count = countApprovers(
        approval,
        votes.filter((cast) => cast.vote === 'APPROVE'),
      );
      if (count.granted) {
        await decideApproval(tx, organization_id, approval.id, { status: 'APPROVED', denial_reason: null, decided_at: now });
        await moveHeldAction(tx, organization_id, approval.action_id, { status: 'APPROVED' });
      }
      const { action_id, agent_id, workspace_id, environment_id, quorum } = approval;
      emit('approval.approved', {
        subject: { type: 'approval', id: approval.id },
        workspace_id,
        environment_id,
        data: {
          action_id,
          agent_id,
          comment,
          quorum,
          approvals_counted: count.people,
          missing_roles: count.missing_roles,
          before: { status: 'PENDING' },
          after: { status: count.granted ? 'APPROVED' : 'PENDING' },
        },
      });
      return (await findApprovalSummary(tx, organization_id, approval.id)) ?? call.refuse('NOT_FOUND');
    },
    { approval_votes_pkey: () => call.refuse('CONFLICT', 'You have voted on this approval already.') },
  );
};
