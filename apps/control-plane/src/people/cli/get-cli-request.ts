import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import type { PeopleDeps } from '../deps.ts';
import { getPendingRequest } from './requests/pending-request.ts';
import { showRequest } from './requests/show-request.ts';

/** Shows the code of a LOOPBACK request only: its session is delivered to the machine that began it, regardless of who approves it. */
export const getCliRequest: Handler<Endpoints['getCliRequest'], PeopleDeps> = async (call, { identity, userCodes }) => {
  const row = await getPendingRequest(identity, call);
  return isRefusal(row) ? row : showRequest(row, call.sourceIp, row.flow === 'LOOPBACK' ? userCodes.codeOf(row.id) : null);
};
