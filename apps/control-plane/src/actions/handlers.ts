import type { AreaHandlers } from '@svc/http/calls/call.ts';
import type { ControlDeps } from '../deps.ts';
import { evaluateAction } from './actions/evaluate-action.ts';
import { getAction } from './actions/get-action.ts';
import { getActionReceipt } from './actions/get-action-receipt.ts';
import { searchActions } from './actions/search-actions.ts';
import { approveApproval } from './approvals/approve-approval.ts';
import { denyApproval } from './approvals/deny-approval.ts';
import { getApproval } from './approvals/get-approval.ts';
import { listApprovals } from './approvals/list-approvals.ts';

/** One handler per row of this area of the control plane; one that is missing, or of another area, does not compile. */
export const actionsHandlers: AreaHandlers<'control', 'actions', ControlDeps> = {
  searchActions,
  getAction,
  getActionReceipt,
  evaluateAction,
  listApprovals,
  getApproval,
  approveApproval,
  denyApproval,
};
