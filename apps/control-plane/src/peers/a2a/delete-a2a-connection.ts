import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { deleteA2aConnection as remove } from '@svc/operations/peers/a2a/delete-a2a-connection.ts';
import type { PeersDeps } from '../deps.ts';

export const deleteA2aConnection: Handler<Endpoints['deleteA2aConnection'], PeersDeps> = (call) =>
  call.change((change) => remove(change, { ...asActing(call), connectionId: call.params.a2aConnectionId }));
