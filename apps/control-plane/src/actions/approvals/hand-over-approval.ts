import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { handOverApproval as handOver } from '@svc/operations/actions/approvals/hand-over-approval.ts';
import type { ActionsDeps } from '../deps.ts';
import { readVote } from './votes/build-ballot.ts';

/** Reassigns an approver's vote to another person. */
export const handOverApproval: Handler<Endpoints['handOverApproval'], ActionsDeps> = async (call) => {
  const { user_id, comment } = call.body;
  const ballot = await readVote(call, comment);
  return call.change((change) => handOver(change, ballot, user_id));
};
