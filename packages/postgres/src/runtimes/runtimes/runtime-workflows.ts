import { type Insertable, type Selectable, sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import type { Tables } from '../../connection/tables.ts';
import { countUpTo, type Listed, type ListedPart, listed } from '../../lists/listed.ts';

export type RuntimeWorkflowRow = Selectable<Tables['runtime_workflows']>;
export type CountedWorkflow = Omit<RuntimeWorkflowRow, 'inventory'> & { readonly open_findings: number };
type Key = { readonly organization_id: string; readonly runtime_id: string };

const openFindings = sql<number>`(select count(*)::int from runtime_findings f
  where f.organization_id = runtime_workflows.organization_id and f.runtime_id = runtime_workflows.runtime_id
    and f.status = 'OPEN' and f.workflow ->> 'id' = runtime_workflows.workflow_id)`;

const COLUMNS = [
  ...([
    'organization_id',
    'workspace_id',
    'environment_id',
    'runtime_id',
    'workflow_id',
    'name',
    'active',
    'archived',
    'version_id',
  ] as const),
  ...(['active_version_id', 'hash', 'changed_at', 'first_seen_at', 'last_seen_at', 'last_run_id', 'gone_at'] as const),
] as const;

export const listRuntimeWorkflows = (
  tx: TenantTransaction,
  { organization_id, runtime_id }: Key,
  active: boolean | undefined,
  part: ListedPart,
): Promise<Listed<CountedWorkflow>> => {
  const some = tx
    .selectFrom('runtime_workflows')
    .select(COLUMNS)
    .select(openFindings.as('open_findings'))
    .where('organization_id', '=', organization_id)
    .where('runtime_id', '=', runtime_id)
    .where('gone_at', 'is', null)
    .$if(active !== undefined, (query) => query.where('active', '=', active ?? true));
  return listed(
    part,
    ({ limit, offset }) => some.orderBy('name').orderBy('workflow_id').limit(limit).offset(offset).execute(),
    (max) => countUpTo(tx, some, max),
  );
};

export const findRuntimeWorkflow = (tx: TenantTransaction, { organization_id, runtime_id }: Key, workflowId: string) =>
  tx
    .selectFrom('runtime_workflows')
    .selectAll()
    .select(openFindings.as('open_findings'))
    .where('organization_id', '=', organization_id)
    .where('runtime_id', '=', runtime_id)
    .where('workflow_id', '=', workflowId)
    .executeTakeFirst();

/** Every workflow that a run saw, with what was inspected. */
export const listInspectedWorkflows = (tx: TenantTransaction, { organization_id, runtime_id }: Key, runId: string, limit: number) =>
  tx
    .selectFrom('runtime_workflows')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where('runtime_id', '=', runtime_id)
    .where('last_run_id', '=', runId)
    .limit(limit)
    .execute();

export const upsertRuntimeWorkflows = async (
  tx: TenantTransaction,
  rows: readonly Insertable<Tables['runtime_workflows']>[],
): Promise<void> => {
  if (rows.length === 0) return;
  await tx
    .insertInto('runtime_workflows')
    .values([...rows])
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'runtime_id', 'workflow_id']).doUpdateSet((eb) => ({
        name: eb.ref('excluded.name'),
        active: eb.ref('excluded.active'),
        archived: eb.ref('excluded.archived'),
        version_id: eb.ref('excluded.version_id'),
        active_version_id: eb.ref('excluded.active_version_id'),
        changed_at: sql<string>`case when runtime_workflows.hash = excluded.hash then runtime_workflows.changed_at else excluded.changed_at end`,
        hash: eb.ref('excluded.hash'),
        last_seen_at: eb.ref('excluded.last_seen_at'),
        last_run_id: eb.ref('excluded.last_run_id'),
        gone_at: null,
        inventory: eb.ref('excluded.inventory'),
      })),
    )
    .execute();
};

/** Marks the workflows that a complete run did not see. */
export const markGoneWorkflows = async (
  tx: TenantTransaction,
  { organization_id, runtime_id }: Key,
  runId: string,
  now: Date,
): Promise<void> => {
  await tx
    .updateTable('runtime_workflows')
    .set({ gone_at: now })
    .where('organization_id', '=', organization_id)
    .where('runtime_id', '=', runtime_id)
    .where('gone_at', 'is', null)
    .where((eb) => eb.or([eb('last_run_id', '<>', runId), eb('last_run_id', 'is', null)]))
    .execute();
};

/** Ids that inspected workflows call, of a run. */
export const calledWorkflowIds = async (tx: TenantTransaction, { organization_id, runtime_id }: Key, runId: string): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select distinct call ->> 'workflow_id' as id
      from runtime_workflows w, unnest(array['draft', 'published']) as parts (part), jsonb_array_elements(w.inventory -> part -> 'calls') as calls (call)
     where w.organization_id = ${organization_id} and w.runtime_id = ${runtime_id} and w.last_run_id = ${runId}
       and jsonb_typeof(w.inventory -> part) = 'object' and call ->> 'workflow_id' is not null
     order by 1 limit 1000`.execute(tx);
  return rows.map(({ id }) => id);
};

/** Returns those of these ids that are actions of the organization. */
export const listRecordedActions = async (tx: TenantTransaction, organizationId: string, ids: readonly string[]): Promise<string[]> => {
  const rows = await tx.selectFrom('actions').select('id').where('organization_id', '=', organizationId).where('id', 'in', ids).execute();
  return rows.map(({ id }) => id);
};

export const insertCanary = async (tx: TenantTransaction, row: Insertable<Tables['runtime_canaries']>): Promise<void> => {
  await tx.insertInto('runtime_canaries').values(row).execute();
};

export const updateCanary = async (
  tx: TenantTransaction,
  { organization_id, runtime_id }: Key,
  name: string,
  row: { readonly workflow_id?: string; readonly outcome?: string; readonly removed_at?: Date },
): Promise<void> => {
  await tx
    .updateTable('runtime_canaries')
    .set(row)
    .where('organization_id', '=', organization_id)
    .where('runtime_id', '=', runtime_id)
    .where('name', '=', name)
    .execute();
};

export const canariesLeft = (tx: TenantTransaction, { organization_id, runtime_id }: Key) =>
  tx
    .selectFrom('runtime_canaries')
    .select(['name', 'workflow_id'])
    .where('organization_id', '=', organization_id)
    .where('runtime_id', '=', runtime_id)
    .where('removed_at', 'is', null)
    .limit(50)
    .execute();
