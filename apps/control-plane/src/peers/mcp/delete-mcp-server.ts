import type { Endpoints } from '@svc/contract/endpoints.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { deleteMcpServer as remove } from '@svc/operations/peers/mcp/delete-mcp-server.ts';
import type { PeersDeps } from '../deps.ts';

export const deleteMcpServer: Handler<Endpoints['deleteMcpServer'], PeersDeps> = (call) =>
  call.change((change) => remove(change, { ...asActing(call), serverId: call.params.serverId }));
