import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { asA2aConnection } from '@svc/operations/peers/a2a/as-a2a-connection.ts';
import { verifyA2aConnection as verify } from '@svc/operations/peers/a2a/verify-a2a-connection.ts';
import type { PeersDeps } from '../deps.ts';

export const verifyA2aConnection: Handler<Endpoints['verifyA2aConnection'], PeersDeps> = (call, { verifications, urls }) => {
  const { a2aConnectionId: connectionId } = call.params;
  // The rest waits for a remote agent.
  call.onCall();
  return verifications.inTurn(call.scope.organization_id, async () => {
    const request = { ...asActing(call), connectionId, release: call.body?.release, steppedUpUntil: call.caller.steppedUpUntil };
    const deps = { egress: verifications.egress, gatewayUrl: urls.gateway };
    const verified = await verify((work) => call.change(work) as ReturnType<typeof work>, request, deps);
    return isRefusal(verified) ? (verified as ReturnType<typeof call.refuse>) : asA2aConnection(verified, urls.gateway);
  });
};
