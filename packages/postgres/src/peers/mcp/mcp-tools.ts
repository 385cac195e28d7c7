import type { McpOfferKind, McpToolStatus } from '@svc/contract/peers/mcp/mcp-tool-shapes.ts';
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import type { Tables } from '../../connection/tables.ts';
import { countUpTo, type Listed, type ListedPart, listed } from '../../lists/listed.ts';

/** A tool of a server, with the name of its governed tool. */
export type McpToolRow = Selectable<Tables['mcp_tools']> & { readonly tool_name: string | null };

const select = (tx: TenantTransaction, organizationId: string) =>
  tx
    .selectFrom('mcp_tools')
    .selectAll('mcp_tools')
    .select(
      sql<string | null>`(select t.name from tools t where t.organization_id = mcp_tools.organization_id and t.id = mcp_tools.tool_id)`.as(
        'tool_name',
      ),
    )
    .where('mcp_tools.organization_id', '=', organizationId);

/** Lists the tools of a server, sorted by name. */
export const listMcpTools = (
  tx: TenantTransaction,
  organizationId: string,
  {
    serverId,
    status,
    kind,
  }: { readonly serverId: string; readonly status?: McpToolStatus | undefined; readonly kind?: McpOfferKind | undefined },
  part: ListedPart,
): Promise<Listed<McpToolRow>> => {
  const some = select(tx, organizationId)
    .where('server_id', '=', serverId)
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? 'DISCOVERED'))
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind ?? 'TOOL'));
  return listed(
    part,
    ({ limit, offset }) => some.orderBy('name').orderBy('kind').limit(limit).offset(offset).execute(),
    (max) => countUpTo(tx, some, max),
  );
};

/** All tools, resources and prompts of a server, which a listing bounds. */
export const allMcpTools = (tx: TenantTransaction, organizationId: string, serverId: string): Promise<McpToolRow[]> =>
  select(tx, organizationId).where('server_id', '=', serverId).orderBy('name').orderBy('kind').execute();

type Key = { readonly serverId: string; readonly id: string };

export const findMcpTool = (tx: TenantTransaction, organizationId: string, { serverId, id }: Key): Promise<McpToolRow | undefined> =>
  select(tx, organizationId).where('server_id', '=', serverId).where('mcp_tools.id', '=', id).executeTakeFirst();

export const lockMcpTool = (tx: TenantTransaction, organizationId: string, { serverId, id }: Key): Promise<McpToolRow | undefined> =>
  select(tx, organizationId).where('server_id', '=', serverId).where('mcp_tools.id', '=', id).forUpdate().executeTakeFirst();

/** Names of the tools of other servers of an environment, which a definition may speak of or imitate. */
export const listOtherToolNames = (
  tx: TenantTransaction,
  organizationId: string,
  { environmentId, serverId }: { readonly environmentId: string; readonly serverId: string },
  limit: number,
): Promise<{ server: string; name: string }[]> =>
  tx
    .selectFrom('mcp_tools as t')
    .innerJoin('mcp_servers as s', (join) => join.onRef('s.organization_id', '=', 't.organization_id').onRef('s.id', '=', 't.server_id'))
    .select(['s.name as server', 't.name as name'])
    .where('t.organization_id', '=', organizationId)
    .where('t.environment_id', '=', environmentId)
    .where('t.server_id', '<>', serverId)
    .where('t.status', '<>', 'GONE')
    .where('t.kind', '=', 'TOOL')
    .orderBy('t.name')
    .limit(limit)
    .execute();

export const insertMcpTools = async (tx: TenantTransaction, rows: readonly Insertable<Tables['mcp_tools']>[]): Promise<void> => {
  if (rows.length > 0)
    await tx
      .insertInto('mcp_tools')
      .values([...rows])
      .execute();
};

export const updateMcpToolRow = async (
  tx: TenantTransaction,
  organizationId: string,
  id: string,
  row: Updateable<Tables['mcp_tools']>,
): Promise<void> => {
  await tx.updateTable('mcp_tools').set(row).where('organization_id', '=', organizationId).where('id', '=', id).execute();
};

/** Records that no tool of a server is authorized since the server moved. Their authorized definitions are kept for comparison. */
export const endMcpAuthorizations = async (tx: TenantTransaction, organizationId: string, serverId: string): Promise<void> => {
  await tx
    .updateTable('mcp_tools')
    .set({ authorized_at: null })
    .where('organization_id', '=', organizationId)
    .where('server_id', '=', serverId)
    .where('authorized_at', 'is not', null)
    .execute();
};

const isUnlinked = sql<boolean>`kind = 'MCP' and not exists (
  select from mcp_tools m where m.organization_id = tools.organization_id and m.tool_id = tools.id)`;

/** Returns the governed tool of this name whose MCP server was removed; null if there is none. */
export const findUnlinkedMcpTool = async (
  tx: TenantTransaction,
  organizationId: string,
  environmentId: string,
  name: string,
): Promise<string | null> => {
  const row = await tx
    .selectFrom('tools')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('environment_id', '=', environmentId)
    .where('name', '=', name)
    .where(isUnlinked)
    .executeTakeFirst();
  return row?.id ?? null;
};

/** Withdraws every agent from these tools, and returns the agents. */
export const withdrawAllAgents = async (tx: TenantTransaction, organizationId: string, toolId: string): Promise<string[]> => {
  const rows = await tx
    .deleteFrom('tool_agents')
    .where('organization_id', '=', organizationId)
    .where('tool_id', '=', toolId)
    .returning('agent_id')
    .execute();
  return rows.map(({ agent_id }) => agent_id);
};

/** Names, in lower case, of tools of an environment that begin with a text in any case, but for those of removed MCP servers. */
export const listTakenToolNames = async (
  tx: TenantTransaction,
  organizationId: string,
  environmentId: string,
  prefix: string,
): Promise<ReadonlySet<string>> => {
  const rows = await tx
    .selectFrom('tools')
    .select(sql<string>`lower(name collate "C")`.as('name'))
    .where('organization_id', '=', organizationId)
    .where('environment_id', '=', environmentId)
    .where(sql<boolean>`starts_with(lower(name collate "C"), ${prefix})`)
    .where(sql<boolean>`not (${isUnlinked})`)
    .execute();
  return new Set(rows.map(({ name }) => name));
};
