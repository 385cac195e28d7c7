import { buildId } from '@svc/contract/tables/ids.ts';
import type { FreshDatabase } from '../database/database.ts';
import { newUlid } from './new-ulid.ts';

/** Inserts a discovered tool of an MCP server, like a listing. Its description contains `word`. */
export const insertMcpTool = async (database: FreshDatabase, serverId: string, word: string): Promise<{ mcpToolId: string }> => {
  const client = await database.client();
  const mcpToolId = buildId('mcp_tool', newUlid());
  const definition = JSON.stringify({ name: 'listed', description: `Lists ${word}.`, inputSchema: { type: 'object' } });
  await client.query(
    `insert into mcp_tools (organization_id, id, workspace_id, environment_id, server_id, name, definition, pin, first_seen_at, last_seen_at)
     select organization_id, $2, workspace_id, environment_id, id, 'listed', $3, $4, now(), now() from mcp_servers where id = $1`,
    [serverId, mcpToolId, definition, '0'.repeat(64)],
  );
  await client.end();
  return { mcpToolId };
};
