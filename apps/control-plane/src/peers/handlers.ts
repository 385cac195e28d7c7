import type { AreaHandlers } from '@svc/http/calls/call.ts';
import { blockA2aConnection } from './a2a/block-a2a-connection.ts';
import { deleteA2aConnection } from './a2a/delete-a2a-connection.ts';
import { getA2aConnection } from './a2a/get-a2a-connection.ts';
import { listA2aConnections } from './a2a/list-a2a-connections.ts';
import { registerA2aConnection } from './a2a/register-a2a-connection.ts';
import { updateA2aConnection } from './a2a/update-a2a-connection.ts';
import { verifyA2aConnection } from './a2a/verify-a2a-connection.ts';
import type { PeersDeps } from './deps.ts';
import { authorizeMcpTool } from './mcp/authorize-mcp-tool.ts';
import { deleteMcpServer } from './mcp/delete-mcp-server.ts';
import { diffMcpTool } from './mcp/diff-mcp-tool.ts';
import { disableMcpServer } from './mcp/disable-mcp-server.ts';
import { disableMcpTool } from './mcp/disable-mcp-tool.ts';
import { discoverMcpServer } from './mcp/discover-mcp-server.ts';
import { getMcpServer } from './mcp/get-mcp-server.ts';
import { getMcpTool } from './mcp/get-mcp-tool.ts';
import { listMcpListings } from './mcp/list-mcp-listings.ts';
import { listMcpServers } from './mcp/list-mcp-servers.ts';
import { listMcpTools } from './mcp/list-mcp-tools.ts';
import { registerMcpServer } from './mcp/register-mcp-server.ts';
import { releaseMcpServer } from './mcp/release-mcp-server.ts';
import { updateMcpServer } from './mcp/update-mcp-server.ts';

/** Handlers of this area, one per row. A missing handler, or one of another area, does not compile. */
export const peersHandlers: AreaHandlers<'control', 'peers', PeersDeps> = {
  listA2aConnections,
  registerA2aConnection,
  getA2aConnection,
  verifyA2aConnection,
  updateA2aConnection,
  deleteA2aConnection,
  blockA2aConnection,
  listMcpServers,
  registerMcpServer,
  getMcpServer,
  updateMcpServer,
  deleteMcpServer,
  discoverMcpServer,
  disableMcpServer,
  releaseMcpServer,
  listMcpTools,
  getMcpTool,
  diffMcpTool,
  listMcpListings,
  authorizeMcpTool,
  disableMcpTool,
};
