import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { McpDefinitionChange } from '@svc/contract/peers/mcp/mcp-tool-shapes.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { isDefinitionFault } from '@svc/peers/mcp/definitions/definition.ts';
import { getOfferPointer, readOffer } from '@svc/peers/mcp/definitions/offers.ts';
import { definitionDiff, wordDiff } from '@svc/peers/mcp/definitions/word-diff.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { findMcpTool, type McpToolRow } from '@svc/postgres/peers/mcp/mcp-tools.ts';
import type { PeersDeps } from '../deps.ts';

/** Lists the changes of a definition. Definitions that cannot be read are compared as text. */
const listChanges = ({ kind, authorized_definition, definition }: McpToolRow): McpDefinitionChange[] => {
  if (authorized_definition === null || authorized_definition === definition) return [];
  const [before, after] = [readOffer(kind, authorized_definition), readOffer(kind, definition)];
  if (!isDefinitionFault(before) && !isDefinitionFault(after))
    return definitionDiff(before, after).map((each) => ({
      ...(structuredClone(each) as McpDefinitionChange),
      pointer: getOfferPointer(kind, each.pointer, after),
    }));
  return [{ pointer: '', kind: 'changed', words: [...wordDiff(authorized_definition, definition)] }];
};

export const diffMcpTool: Handler<Endpoints['diffMcpTool'], PeersDeps> = (call) => {
  const { serverId, mcpToolId: id } = call.params;
  return readInTenant(call.database, call.scope, async (tx) => {
    const tool = await findMcpTool(tx, call.scope.organization_id, { serverId, id });
    if (!tool) return call.refuse('NOT_FOUND');
    return { authorized_pin: tool.authorized_pin, pin: tool.pin, changes: listChanges(tool) };
  });
};
