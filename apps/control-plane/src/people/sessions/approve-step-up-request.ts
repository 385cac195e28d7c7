import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { constantTimeEqual } from '@svc/keyring/bytes/constant-time-equal.ts';
import { hasFreshStepUp, stepUpRefusal } from '@svc/operations/people/auth/step-up.ts';
import { approveStepUpRequest as approve } from '@svc/operations/people/sessions/approve-step-up-request.ts';
import type { PeopleDeps } from '../deps.ts';
import { buildStepUpQuery, findPendingStepUp } from './live/pending-step-up.ts';

/** A step-up from before the request proves nothing about it: the person confirms each request by itself. */
export const approveStepUpRequest: Handler<Endpoints['approveStepUpRequest'], PeopleDeps> = (call, { userCodes, settings }) => {
  const { caller, body, now } = call;
  return call.change(async (change) => {
    const request = await findPendingStepUp(change.tx, call);
    if (isRefusal(request)) return request;
    if (!constantTimeEqual(userCodes.hashOf(body.user_code), userCodes.hashOf(userCodes.codeOf(request.value))))
      return call.fault('/user_code', 'This is not the code that the terminal shows.');
    const until = caller.steppedUpUntil;
    const oldest = Date.parse(request.requested_at) + settings.stepUpLifetimeSeconds * 1000;
    if (until === null || !hasFreshStepUp(caller, now) || Date.parse(until) < oldest)
      return stepUpRefusal(caller, 'Confirm again that it is you, for this request.');
    // Without the proof of an enrolled factor, the step-up of the other session would not count.
    const proofs = { own: caller.amr.filter((each) => !caller.vouchedAmr.includes(each)), vouched: caller.vouchedAmr };
    const steppedUp = { sessionId: caller.credentialId, until: new Date(until), proofs };
    return approve(change, { ...asActing(call), ...buildStepUpQuery(call), request, steppedUp });
  });
};
