import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { getAddressGroup } from '@svc/domain/people/auth/address-group.ts';
import { describeDevice } from '@svc/domain/people/auth/describe-device.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import type { PeopleDeps } from '../deps.ts';
import { findPendingStepUp, getStepUpExpiry } from './live/pending-step-up.ts';

export const getStepUpRequest: Handler<Endpoints['getStepUpRequest'], PeopleDeps> = async (call, { userCodes }) => {
  const request = await readInTenant(call.database, call.scope, (tx) => findPendingStepUp(tx, call));
  if (isRefusal(request)) return request;
  return {
    user_code: userCodes.codeOf(request.value),
    device: describeDevice(request.user_agent),
    source_ip: request.requested_from,
    same_address: getAddressGroup(request.requested_from) === getAddressGroup(call.sourceIp),
    requested_at: request.requested_at,
    expires_at: getStepUpExpiry(request),
  };
};
