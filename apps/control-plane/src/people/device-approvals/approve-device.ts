import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { decideDevice, OVER } from '@svc/operations/people/device-approvals/decide-device.ts';
import type { PeopleDeps } from '../deps.ts';
import { decideRequest } from './decision/decide-request.ts';

const WEAK =
  'This session was not confirmed with a second factor, so it cannot approve another sign-in. Step up with a second factor first.';
const OTHER = 'The numbers do not match, so the sign-in was denied. Start the sign-in again.';

/**
 * Approves the sign-in of another device. The number ties the two devices together: a user who did not begin the sign-in does not know it.
 */
export const approveDevice: Handler<Endpoints['approveDevice'], PeopleDeps> = async (call) => {
  const decided = await call.change((change) => decideDevice(change, decideRequest(call), call.body.number));
  if (decided === 'unknown') return call.refuse('NOT_FOUND');
  if (decided === 'weak') return call.refuse('PERMISSION_DENIED', WEAK);
  if (decided === 'over') return call.refuse('GONE', OVER);
  return decided === 'approved' ? { approved: true } : call.refuse('INVALID_CREDENTIALS', OTHER);
};
