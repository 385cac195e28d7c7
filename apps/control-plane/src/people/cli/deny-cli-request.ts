import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { denyCliRequest as deny } from '@svc/operations/people/cli/deny-cli-request.ts';
import type { PeopleDeps } from '../deps.ts';
import { getPendingRequest } from './requests/pending-request.ts';

export const denyCliRequest: Handler<Endpoints['denyCliRequest'], PeopleDeps> = async (call, { identity }) => {
  const row = await getPendingRequest(identity, call);
  if (isRefusal(row)) return row;
  return call.change((change) => deny(change, { ...asActing(call), credentialId: call.caller.credentialId, sourceIp: call.sourceIp }, row));
};
