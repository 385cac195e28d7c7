import type { AreaHandlers } from '@svc/http/calls/call.ts';
import type { GatewayDeps } from '../deps.ts';
import { callMcpServer } from './mcp/call-mcp-server.ts';
import { callMcpServers } from './mcp/call-mcp-servers.ts';

/** One handler per row of this area of the gateway; one that is missing, or of another area, does not compile. */
export const peersHandlers: AreaHandlers<'gateway', 'peers', GatewayDeps> = { callMcpServer, callMcpServers };
