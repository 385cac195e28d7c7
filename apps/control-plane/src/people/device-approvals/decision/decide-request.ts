import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Call } from '@svc/http/calls/call.ts';
import type { DecideRequest } from '@svc/operations/people/device-approvals/decide-device.ts';

/** Returns the part of a call that a decision on the sign-in of another device takes. */
export const decideRequest = (call: Pick<Call<Endpoints['approveDevice']>, 'caller' | 'now' | 'params' | 'scope'>): DecideRequest => ({
  ...asActing(call),
  credentialId: call.caller.credentialId,
  amr: call.caller.amr,
  deviceApprovalId: call.params.deviceApprovalId,
});
