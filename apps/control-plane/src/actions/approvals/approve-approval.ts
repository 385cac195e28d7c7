import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { approveApproval as approve } from '@svc/operations/actions/approvals/approve-approval.ts';
import type { ActionsDeps } from '../deps.ts';
import { readVote } from './votes/build-ballot.ts';

/** Records an approving vote. */
export const approveApproval: Handler<Endpoints['approveApproval'], ActionsDeps> = async (call) => {
  const { comment, wording } = call.body;
  const ballot = { ...(await readVote(call, comment)), wording };
  return call.change((change) => approve(change, ballot));
};
