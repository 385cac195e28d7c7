import type { AreaHandlers } from '@svc/http/calls/call.ts';
import type { GatewayDeps } from '../deps.ts';
import { callA2aConnection } from './a2a/call-a2a-connection.ts';
import { callAgent } from './a2a/call-agent.ts';
import { getA2aCard } from './a2a/get-a2a-card.ts';
import { receiveA2aNotification } from './a2a/receive-a2a-notification.ts';
import { callMcpServer } from './mcp/call-mcp-server.ts';
import { callMcpServers } from './mcp/call-mcp-servers.ts';

/** Handlers of this area, one per row. A missing handler, or one of another area, does not compile. */
export const peersHandlers: AreaHandlers<'gateway', 'peers', GatewayDeps> = {
  callMcpServer,
  callMcpServers,
  callA2aConnection,
  getA2aCard,
  receiveA2aNotification,
  callAgent,
};
