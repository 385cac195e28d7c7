import type { AreaHandlers } from '@svc/http/calls/call.ts';
import { evaluateAccess } from './access/evaluate-access.ts';
import { evaluateAccessBatch } from './access/evaluate-access-batch.ts';
import { getAccessConfiguration } from './access/get-access-configuration.ts';
import { searchAccessActions } from './access/search-access-actions.ts';
import { searchAccessResources } from './access/search-access-resources.ts';
import { searchAccessSubjects } from './access/search-access-subjects.ts';
import { evaluateAction } from './actions/evaluate-action.ts';
import { getAction } from './actions/get-action.ts';
import { getActionReceipt } from './actions/get-action-receipt.ts';
import { searchActions } from './actions/search-actions.ts';
import { summarizeActions } from './actions/summarize-actions.ts';
import { answerAboutApproval } from './approvals/answer-about-approval.ts';
import { approveApproval } from './approvals/approve-approval.ts';
import { askAboutApproval } from './approvals/ask-about-approval.ts';
import { cancelApproval } from './approvals/cancel-approval.ts';
import { denyApproval } from './approvals/deny-approval.ts';
import { editApproval } from './approvals/edit-approval.ts';
import { getApproval } from './approvals/get-approval.ts';
import { handOverApproval } from './approvals/hand-over-approval.ts';
import { listApprovals } from './approvals/list-approvals.ts';
import { listApprovers } from './approvals/list-approvers.ts';
import { streamApprovals } from './approvals/stream-approvals.ts';
import { withdrawVote } from './approvals/withdraw-vote.ts';
import type { ActionsDeps } from './deps.ts';

/** Handlers of this area, one per row. A missing handler, or one of another area, does not compile. */
export const actionsHandlers: AreaHandlers<'control', 'actions', ActionsDeps> = {
  searchActions,
  summarizeActions,
  getAction,
  getActionReceipt,
  evaluateAction,
  evaluateAccess,
  evaluateAccessBatch,
  searchAccessSubjects,
  searchAccessResources,
  searchAccessActions,
  getAccessConfiguration,
  listApprovals,
  getApproval,
  listApprovers,
  streamApprovals,
  approveApproval,
  denyApproval,
  editApproval,
  withdrawVote,
  handOverApproval,
  askAboutApproval,
  answerAboutApproval,
  cancelApproval,
};
