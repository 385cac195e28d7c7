import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EmittedBy } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, isRefusal } from '@svc/contract/rows/refusal.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { deleteMcpServerRow, lockMcpServer } from '@svc/postgres/peers/mcp/mcp-servers.ts';
import { allMcpTools, withdrawAllAgents } from '@svc/postgres/peers/mcp/mcp-tools.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { changeToolStatus } from '../../tools/tools/change-tool-status.ts';

const REASON = 'Its MCP server was removed.';

/** Removes a server. Its governed tools stay, since records name them, and are disabled. */
export const deleteMcpServer = async (
  { tx, emit }: Change<EmittedBy<Endpoints['deleteMcpServer']>>,
  { scope, actor, now, serverId }: CallContext & { readonly serverId: string },
) => {
  const { organization_id } = scope;
  const server = await lockMcpServer(tx, organization_id, serverId);
  if (!server) return buildRefusal('NOT_FOUND');
  for (const { tool_id } of await allMcpTools(tx, organization_id, server.id)) {
    if (tool_id === null) continue;
    // Its name may be reused for a tool that these agents were not authorized for.
    const withdrawn = await withdrawAllAgents(tx, organization_id, tool_id);
    const changed = await changeToolStatus(tx, organization_id, tool_id, { to: 'DISABLED', reason: REASON, by: actor, now });
    // One that is already disabled stays unchanged.
    if (isRefusal(changed)) continue;
    const after = { status: 'DISABLED', disabled_reason: REASON };
    const data = { name: changed.tool.name, before: { status: 'ACTIVE', disabled_reason: null }, after, withdrawn, reason: REASON };
    emit('tool.disabled', { ...about.tool({ ...changed.tool, workspace_id: changed.workspace_id }), data });
  }
  await deleteMcpServerRow(tx, organization_id, server.id);
  emit('mcp.server_disabled', {
    ...about.mcp_server(server),
    data: { name: server.name, before: { status: server.status }, after: null, reason: 'The server was removed.' },
  });
  return { id: server.id, name: server.name, deleted_at: now.toISOString() };
};
