import { governedToolName } from '@svc/peers/mcp/definitions/tool-names.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import type { McpServerRow } from '@svc/postgres/peers/mcp/mcp-servers.ts';
import { takenToolNames } from '@svc/postgres/peers/mcp/mcp-tools.ts';

/**
 * Returns the name of the governed tool of a tool that is authorized for the first time. It reuses the name of a governed tool whose server
 * was removed, so that rules on the name hold for a server that is registered again.
 */
export const freeToolName = async (
  tx: TenantTransaction,
  { organization_id, environment_id, slug }: Pick<McpServerRow, 'organization_id' | 'environment_id' | 'slug'>,
  name: string,
): Promise<string> => governedToolName(slug, name, await takenToolNames(tx, organization_id, environment_id, `${slug}.`));
