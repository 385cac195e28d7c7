import type { AreaHandlers } from '@svc/http/calls/call.ts';
import type { GatewayDeps } from '../deps.ts';
import { act } from './actions/act.ts';
import { authorizeProxiedRequest } from './actions/authorize-proxied-request.ts';
import { getOwnAction } from './actions/get-own-action.ts';
import { reportOutcome } from './actions/report-outcome.ts';
import { answerOwnApproval } from './approvals/answer-own-approval.ts';
import { cancelOwnApproval } from './approvals/cancel-own-approval.ts';
import { getOwnApproval } from './approvals/get-own-approval.ts';

/** Handlers of this area, one per row. A missing handler, or one of another area, does not compile. */
export const actionsHandlers: AreaHandlers<'gateway', 'actions', GatewayDeps> = {
  act,
  authorizeProxiedRequest,
  getOwnAction,
  reportOutcome,
  getOwnApproval,
  answerOwnApproval,
  cancelOwnApproval,
};
