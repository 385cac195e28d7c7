import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { askAboutApproval as ask } from '@svc/operations/actions/approvals/ask-about-approval.ts';
import type { ActionsDeps } from '../deps.ts';
import { readVote } from './votes/build-ballot.ts';

/** Asks the requester a question. */
export const askAboutApproval: Handler<Endpoints['askAboutApproval'], ActionsDeps> = async (call) => {
  const ballot = await readVote(call);
  return call.change((change) => ask(change, ballot, call.body.question));
};
