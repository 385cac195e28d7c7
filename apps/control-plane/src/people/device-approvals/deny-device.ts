import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { decideDevice, OVER } from '@svc/operations/people/device-approvals/decide-device.ts';
import type { PeopleDeps } from '../deps.ts';
import { decideRequest } from './decision/decide-request.ts';

export const denyDevice: Handler<Endpoints['denyDevice'], PeopleDeps> = async (call) => {
  const decided = await call.change((change) => decideDevice(change, decideRequest(call), null));
  if (decided === 'unknown') return call.refuse('NOT_FOUND');
  return decided === 'over' ? call.refuse('GONE', OVER) : { approved: false };
};
