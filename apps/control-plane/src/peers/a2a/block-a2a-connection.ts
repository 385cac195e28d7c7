import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { asA2aConnection } from '@svc/operations/peers/a2a/as-a2a-connection.ts';
import { blockA2aConnection as block } from '@svc/operations/peers/a2a/block-a2a-connection.ts';
import type { PeersDeps } from '../deps.ts';

export const blockA2aConnection: Handler<Endpoints['blockA2aConnection'], PeersDeps> = (call, { urls }) =>
  call.change(async (change) => {
    const blocked = await block(change, { ...asActing(call), body: call.body, connectionId: call.params.a2aConnectionId });
    return isRefusal(blocked) ? blocked : asA2aConnection(blocked, urls.gateway);
  });
