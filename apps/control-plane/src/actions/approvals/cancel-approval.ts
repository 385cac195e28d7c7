import type { Endpoints } from '@svc/contract/endpoints.ts';
import { sanitizeText } from '@svc/domain/actions/approvals/sanitize-text.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { cancelOneApproval } from '@svc/operations/actions/approvals/cancel-one-approval.ts';
import { findApprovalSummary } from '@svc/postgres/actions/approvals/approvals.ts';
import type { ActionsDeps } from '../deps.ts';

/** Withdraws a request of an agent that the caller manages. */
export const cancelApproval: Handler<Endpoints['cancelApproval'], ActionsDeps> = (call) => {
  const { organization_id: organizationId } = call.scope;
  const { approvalId } = call.params;
  return call.change(async (change) => {
    if (!(await findApprovalSummary(change.tx, organizationId, approvalId))) return call.refuse('NOT_FOUND');
    const refused = await cancelOneApproval(change, { organizationId, approvalId, reason: sanitizeText(call.body.reason), now: call.now });
    return refused ?? (await findApprovalSummary(change.tx, organizationId, approvalId)) ?? call.refuse('NOT_FOUND');
  });
};
