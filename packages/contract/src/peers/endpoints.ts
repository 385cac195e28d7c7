import type { AreaEndpoints } from '../rows/area-rows.ts';
import { a2aConnectionEndpoints } from './a2a/a2a-connections.ts';
import { a2aEndpoints } from './a2a/a2a-endpoints.ts';
import { mcpEndpoints } from './mcp/mcp-endpoints.ts';
import { mcpServerEndpoints } from './mcp/mcp-servers.ts';
import { mcpToolEndpoints } from './mcp/mcp-tools.ts';

export const PEERS = {
  ...a2aConnectionEndpoints,
  ...a2aEndpoints,
  ...mcpServerEndpoints,
  ...mcpToolEndpoints,
  ...mcpEndpoints,
} as const satisfies AreaEndpoints<'peers'>;
