import { asActing } from '@svc/http/calls/as-acting.ts';
import type { KnownCaller } from '@svc/http/calls/call.ts';
import type { EnrolRequest } from '@svc/operations/people/second-factors/enrolled.ts';

type EnrolCall = Pick<EnrolRequest, 'scope' | 'now' | 'sourceIp' | 'newId'> & { readonly caller: KnownCaller };

/** Returns the part of a call that the enrolment of a second factor takes. */
export const enrolRequest = (call: EnrolCall): EnrolRequest => {
  const { credentialId, email } = call.caller;
  return { ...asActing(call), sourceIp: call.sourceIp, newId: call.newId, credentialId, email };
};
