import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { withdrawVote as withdraw } from '@svc/operations/actions/approvals/withdraw-vote.ts';
import type { ActionsDeps } from '../deps.ts';
import { readVote } from './votes/build-ballot.ts';

/** Withdraws the caller's approving vote. */
export const withdrawVote: Handler<Endpoints['withdrawVote'], ActionsDeps> = async (call) => {
  const ballot = await readVote(call, call.body.comment);
  return call.change((change) => withdraw(change, ballot));
};
