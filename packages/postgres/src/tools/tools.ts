import type { Tool } from '@svc/contract/tools/tools.ts';
import { hideExecutionSecrets } from '@svc/domain/tools/declaration/hide-execution-secrets.ts';
import { type Insertable, sql } from 'kysely';
import type { TenantTransaction } from '../connection/in-tenant.ts';
import type { Tables } from '../connection/tables.ts';
import { findFittingRows } from '../lists/fitting-rows.ts';

const selectTools = (tx: TenantTransaction, organizationId: string) =>
  tx
    .selectFrom('tools')
    .where('organization_id', '=', organizationId)
    .select(['id', 'name', 'environment_id', 'required_capability', 'kind', 'description', 'destination_allowlist', 'risk_rating'])
    .select(['dangerous', 'parameters_schema', 'amount_from', 'currency_from', 'destination_from', 'execution', 'status'])
    .select(['narrowable', 'declaration_version'])
    .select(['disabled_reason', 'created_at', 'updated_at'])
    .select(
      sql<string[]>`array(select a.agent_id from tool_agents a
        where a.organization_id = tools.organization_id and a.tool_id = tools.id order by a.agent_id)`.as('authorized_agent_ids'),
    );

/** Rows from before declarations were searched for secrets go on being called as they are, and are shown without them. */
const shown = (tool: Tool): Tool => (tool.execution === null ? tool : { ...tool, execution: hideExecutionSecrets(tool.execution) });

export type ToolFilter = { readonly q?: string | undefined; readonly limit: number; readonly offset: number };

const pattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** Approximate size of one authorized agent in the response. */
const AGENT_BYTES = 33;

const fittingTools = (tx: TenantTransaction, organizationId: string, like: string | undefined, part: ToolFilter) =>
  findFittingRows(
    tx,
    part,
    ({ limit, offset }) =>
      sql`select t.id as place, octet_length(t.parameters_schema::text) + coalesce(octet_length(t.execution::text), 0) + ${AGENT_BYTES}::integer * (
            select count(*) from tool_agents a where a.organization_id = t.organization_id and a.tool_id = t.id) as bytes
          from tools t where t.organization_id = ${organizationId} and (${like ?? null}::text is null or t.name ilike ${like ?? null})
         order by t.id desc limit ${limit} offset ${offset}`,
  );

/** Newest first, with the number of all that match. */
export const listTools = async (
  tx: TenantTransaction,
  organizationId: string,
  filter: ToolFilter,
): Promise<{ items: Tool[]; total: number }> => {
  const like = filter.q === undefined ? undefined : pattern(filter.q);
  const items = await selectTools(tx, organizationId)
    .$if(like !== undefined, (query) => query.where('name', 'ilike', like ?? ''))
    .orderBy('id', 'desc')
    .limit(await fittingTools(tx, organizationId, like, filter))
    .offset(filter.offset)
    .execute();
  const counted = await tx
    .selectFrom('tools')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('organization_id', '=', organizationId)
    .$if(like !== undefined, (query) => query.where('name', 'ilike', like ?? ''))
    .executeTakeFirstOrThrow();
  return { items: (items as Tool[]).map(shown), total: counted.total };
};

export const findTool = async (tx: TenantTransaction, organizationId: string, id: string): Promise<Tool | undefined> => {
  const tool = await selectTools(tx, organizationId).where('id', '=', id).executeTakeFirst();
  return tool && shown(tool as Tool);
};

/** A tool as it is called, with its complete execution: for changes, never for display. */
export type StoredTool = Tool & { readonly workspace_id: string };

export const readStoredTool = async (
  tx: TenantTransaction,
  organizationId: string,
  id: string,
  { isLocked }: { readonly isLocked: boolean } = { isLocked: false },
): Promise<StoredTool | undefined> =>
  (await selectTools(tx, organizationId)
    .select('workspace_id')
    .where('id', '=', id)
    .$if(isLocked, (query) => query.forUpdate())
    .executeTakeFirst()) as StoredTool | undefined;

/** Locks the tool, so that two changes of it happen one after the other. */
export const lockTool = (tx: TenantTransaction, organizationId: string, id: string): Promise<{ workspace_id: string } | undefined> =>
  tx
    .selectFrom('tools')
    .select('workspace_id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();

export const insertTool = async (tx: TenantTransaction, tool: Insertable<Tables['tools']>): Promise<void> => {
  await tx.insertInto('tools').values(tool).execute();
};

export const setToolStatus = async (
  tx: TenantTransaction,
  organizationId: string,
  id: string,
  change: { readonly status: Tool['status']; readonly disabled_reason: string | null; readonly now: Date },
): Promise<void> => {
  const { now, ...columns } = change;
  await tx
    .updateTable('tools')
    .set({ ...columns, updated_at: now })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
};

/** Returns true if the agent is authorized for a high-risk tool, enabled or not: a disabled one may be enabled again. */
export const holdsDangerousTool = async (tx: TenantTransaction, organizationId: string, agentId: string): Promise<boolean> => {
  const found = await tx
    .selectFrom('tool_agents as a')
    .innerJoin('tools as t', (join) => join.onRef('t.organization_id', '=', 'a.organization_id').onRef('t.id', '=', 'a.tool_id'))
    .select('t.id')
    .where('a.organization_id', '=', organizationId)
    .where('a.agent_id', '=', agentId)
    .where((eb) => eb.or([eb('t.dangerous', '=', true), eb('t.risk_rating', '=', 'CRITICAL')]))
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
};

export const authorizeAgent = async (tx: TenantTransaction, row: Insertable<Tables['tool_agents']>): Promise<boolean> => {
  const added = await tx
    .insertInto('tool_agents')
    .values(row)
    .onConflict((conflict) => conflict.columns(['organization_id', 'tool_id', 'agent_id']).doNothing())
    .returning('agent_id')
    .executeTakeFirst();
  return added !== undefined;
};

export const withdrawAgent = async (tx: TenantTransaction, organizationId: string, toolId: string, agentId: string): Promise<boolean> => {
  const gone = await tx
    .deleteFrom('tool_agents')
    .where('organization_id', '=', organizationId)
    .where('tool_id', '=', toolId)
    .where('agent_id', '=', agentId)
    .returning('agent_id')
    .executeTakeFirst();
  return gone !== undefined;
};

/** The same for many in one statement; their epochs are locked by then. */
export const withdrawAgents = async (
  tx: TenantTransaction,
  organizationId: string,
  toolId: string,
  agentIds: readonly string[],
): Promise<void> => {
  await sql`delete from tool_agents
    where organization_id = ${organizationId} and tool_id = ${toolId} and agent_id = any (${[...agentIds]}::text[])`.execute(tx);
};
