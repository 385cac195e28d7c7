import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { asMcpTool } from '@svc/operations/peers/mcp/as-mcp-server.ts';
import { findFreeToolName } from '@svc/operations/peers/mcp/free-tool-name.ts';
import { readDeclaration, suggestCapability } from '@svc/operations/peers/mcp/governed-declaration.ts';
import { isDefinitionFault } from '@svc/peers/mcp/definitions/definition.ts';
import { buildSuggestedTerms } from '@svc/peers/mcp/definitions/input-schema.ts';
import { readOffer } from '@svc/peers/mcp/definitions/offers.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { findMcpServer, type McpServerRow } from '@svc/postgres/peers/mcp/mcp-servers.ts';
import { findMcpTool, type McpToolRow } from '@svc/postgres/peers/mcp/mcp-tools.ts';
import type { PeersDeps } from '../deps.ts';

/** Suggests terms of an authorization. A definition that cannot be read gets the strictest terms. */
const suggestTerms = (server: McpServerRow, tool: McpToolRow, toolName: string) => {
  const read = readOffer(tool.kind, tool.definition);
  const terms = isDefinitionFault(read) ? { risk_rating: 'HIGH', dangerous: true } : buildSuggestedTerms(read);
  return {
    tool_name: toolName,
    required_capability: suggestCapability(server, tool.kind, isDefinitionFault(read) ? tool.name : read.name),
    ...terms,
  };
};

const parseObject = ({ kind, definition }: McpToolRow): Record<string, unknown> => {
  const read = readOffer(kind, definition);
  return isDefinitionFault(read) ? { text: definition } : (JSON.parse(definition) as Record<string, unknown>);
};

export const getMcpTool: Handler<Endpoints['getMcpTool'], PeersDeps> = (call) => {
  const { organization_id } = call.scope;
  const { serverId, mcpToolId: id } = call.params;
  return readInTenant(call.database, call.scope, async (tx) => {
    const server = await findMcpServer(tx, organization_id, serverId);
    const tool = server && (await findMcpTool(tx, organization_id, { serverId, id }));
    if (!server || !tool) return call.refuse('NOT_FOUND');
    const toolName = tool.tool_name ?? (await findFreeToolName(tx, server, tool));
    const read = readDeclaration(server, { kind: tool.kind, definition: tool.definition, toolName }, {});
    return {
      ...asMcpTool(tool, server),
      definition: parseObject(tool),
      suggested: suggestTerms(server, tool, toolName),
      unusable: isRefusal(read) ? (read.message ?? null) : null,
    };
  });
};
