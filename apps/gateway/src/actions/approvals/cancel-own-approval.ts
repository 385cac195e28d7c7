import type { Endpoints } from '@svc/contract/endpoints.ts';
import { sanitizeText } from '@svc/domain/actions/approvals/sanitize-text.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { cancelOneApproval } from '@svc/operations/actions/approvals/cancel-one-approval.ts';
import type { GatewayDeps } from '../../deps.ts';
import { ownApproval } from './own/own-approval.ts';

/** Withdraws a request of the agent. */
export const cancelOwnApproval: Handler<Endpoints['cancelOwnApproval'], GatewayDeps> = (call) => {
  const { organizationId, agentId } = call.agent;
  const { approvalId } = call.params;
  const reason = call.body.reason === undefined ? null : sanitizeText(call.body.reason);
  return call.change(async (change) => {
    if (!(await ownApproval(change.tx, call))) return call.refuse('NOT_FOUND');
    const refused = await cancelOneApproval(change, { organizationId, approvalId, agentId, reason, now: call.now });
    return refused ?? (await ownApproval(change.tx, call)) ?? call.refuse('NOT_FOUND');
  });
};
