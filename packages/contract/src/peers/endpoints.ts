import type { RowsOf } from '../rows/rows-of.ts';
import { mcpEndpoints } from './mcp/mcp-endpoints.ts';
import { mcpServerEndpoints } from './mcp/mcp-servers.ts';
import { mcpToolEndpoints } from './mcp/mcp-tools.ts';

export const PEERS = {
  ...mcpServerEndpoints,
  ...mcpToolEndpoints,
  ...mcpEndpoints,
} as const satisfies RowsOf<'peers'>;
