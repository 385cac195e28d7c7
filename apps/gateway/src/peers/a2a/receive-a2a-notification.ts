import type { Endpoints } from '@svc/contract/endpoints.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { sha256Hex } from '@svc/keyring/bytes/sha256-hex.ts';
import { receiveA2aNotification as receive } from '@svc/operations/peers/a2a/receive-a2a-notification.ts';
import { readNotification } from '@svc/peers/a2a/front/read-notification.ts';
import type { GatewayDeps } from '../../deps.ts';

const TOKEN_HEADER = 'x-a2a-notification-token';

export const receiveA2aNotification: Handler<Endpoints['receiveA2aNotification'], GatewayDeps> = async (call, deps) => {
  const { a2aConnectionId: connectionId } = call.params;
  const token = call.header(TOKEN_HEADER);
  if (token === undefined || token === '' || token.length > LIMITS.a2a.notificationTokenCharsMax) return call.refuse('UNAUTHENTICATED');
  const home = await deps.connectionHomes(connectionId);
  if (home === undefined) return call.refuse('UNAUTHENTICATED');
  const notification = readNotification(call.body);
  if ('fault' in notification) return call.fault(notification.pointer, notification.fault);
  const { organization_id, agent_id, name } = home;
  const received = { organizationId: organization_id, connectionId, tokenHash: deps.hashPushToken(token), now: call.now };
  const digest = sha256Hex(JSON.stringify(call.body));
  return call.change((change) => receive(change, { ...received, ...notification, digest }), undefined, {
    scope: { organization_id },
    // Over an inbound connection the published agent sends them.
    actor: agent_id === null ? { type: 'AGENT', id: connectionId, name } : { type: 'AGENT', id: agent_id, name: null },
  });
};
