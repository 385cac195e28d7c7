import { isDefinitionFault } from '@svc/peers/mcp/definitions/definition.ts';
import { getOfferPrefix, readOffer } from '@svc/peers/mcp/definitions/offers.ts';
import { getGovernedToolName } from '@svc/peers/mcp/definitions/tool-names.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import type { McpServerRow } from '@svc/postgres/peers/mcp/mcp-servers.ts';
import { listTakenToolNames, type McpToolRow } from '@svc/postgres/peers/mcp/mcp-tools.ts';

/** Returns the name of a tool; a resource has a name and an address. */
const readName = ({ kind, name, definition }: Pick<McpToolRow, 'kind' | 'name' | 'definition'>): string => {
  const read = readOffer(kind, definition);
  return isDefinitionFault(read) ? name : read.name;
};

/**
 * Returns the name of the governed tool of a tool that is authorized for the first time. It reuses the name of a governed tool whose server
 * was removed, so that rules on the name hold for a server that is registered again.
 */
export const findFreeToolName = async (
  tx: TenantTransaction,
  { organization_id, environment_id, slug }: Pick<McpServerRow, 'organization_id' | 'environment_id' | 'slug'>,
  tool: Pick<McpToolRow, 'kind' | 'name' | 'definition'>,
): Promise<string> =>
  getGovernedToolName(
    getOfferPrefix(tool.kind, slug),
    readName(tool),
    await listTakenToolNames(tx, organization_id, environment_id, `${slug}.`),
  );
