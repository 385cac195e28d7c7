import type { Endpoints } from '@svc/contract/endpoints.ts';
import { sanitizeText } from '@svc/domain/actions/approvals/sanitize-text.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { denyApproval as deny } from '@svc/operations/actions/approvals/deny-approval.ts';
import type { ActionsDeps } from '../deps.ts';
import { readVote } from './votes/build-ballot.ts';

/** Denies a request; one denial is final. */
export const denyApproval: Handler<Endpoints['denyApproval'], ActionsDeps> = async (call) => {
  const comment = sanitizeText(call.body.reason);
  const ballot = { ...(await readVote(call)), comment };
  return call.change((change) => deny(change, ballot));
};
