import { type Insertable, type Selectable, sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import type { Tables } from '../../connection/tables.ts';

type Key = { readonly organizationId: string; readonly connectionId: string; readonly taskId: string; readonly agentId: string };

export type A2aTaskRow = Pick<Selectable<Tables['a2a_tasks']>, 'task_id' | 'state' | 'context_id' | 'updated_at'>;

/** Returns true if the agent started the task, or for an inbound connection, if the task is the agent's. */
export const isTaskOfAgent = async (tx: TenantTransaction, { organizationId, connectionId, taskId, agentId }: Key): Promise<boolean> => {
  const row = await tx
    .selectFrom('a2a_tasks')
    .select('agent_id')
    .where('organization_id', '=', organizationId)
    .where('connection_id', '=', connectionId)
    .where('task_id', '=', taskId)
    .executeTakeFirst();
  return row?.agent_id === agentId;
};

/** Returns true if the agent has tasks in a context over another connection, and none over this one. */
export const isContextElsewhere = async (
  tx: TenantTransaction,
  { organizationId, connectionId, agentId, contextId }: Omit<Key, 'taskId'> & { readonly contextId: string },
): Promise<boolean> => {
  const rows = await tx
    .selectFrom('a2a_tasks')
    .select('connection_id')
    .distinct()
    .where('organization_id', '=', organizationId)
    .where('agent_id', '=', agentId)
    .where('context_id', '=', contextId)
    .limit(CONTEXTS_READ)
    .execute();
  return rows.length > 0 && !rows.some(({ connection_id }) => connection_id === connectionId);
};

const CONTEXTS_READ = 10;
const DELETED_AT_ONCE = 20;

/** Stores a task of an agent, with its last state. A stored task stays with its agent. Deletes a few tasks from before `oldest`. */
export const keepA2aTask = async (tx: TenantTransaction, row: Insertable<Tables['a2a_tasks']>, oldest: Date): Promise<void> => {
  const { state, context_id, updated_at } = row;
  await tx
    .insertInto('a2a_tasks')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'connection_id', 'task_id'])
        .doUpdateSet({
          state: sql`coalesce(${state ?? null}, a2a_tasks.state)`,
          context_id: sql`coalesce(${context_id ?? null}, a2a_tasks.context_id)`,
          updated_at,
        })
        .where('a2a_tasks.agent_id', '=', row.agent_id),
    )
    .execute();
  await sql`
    delete from a2a_tasks where ctid = any(array(
      select ctid from a2a_tasks
       where organization_id = ${row.organization_id} and connection_id = ${row.connection_id} and created_at < ${oldest}
       limit ${DELETED_AT_ONCE}))`.execute(tx);
};

/** Position behind a task in a list of tasks, newest change first. */
export type TaskPosition = { readonly updatedAt: string; readonly taskId: string };

export type TaskFilter = {
  readonly contextId: string | undefined;
  readonly state: string | undefined;
  readonly after: TaskPosition | undefined;
  readonly limit: number;
};

type Listed = { readonly rows: A2aTaskRow[]; readonly total: number };

/** Lists the tasks of an agent over one connection, the last changed first. */
export const listA2aTasks = async (
  tx: TenantTransaction,
  { organizationId, connectionId, agentId }: Omit<Key, 'taskId'>,
  { contextId, state, after, limit }: TaskFilter,
): Promise<Listed> => {
  const some = tx
    .selectFrom('a2a_tasks')
    .where('organization_id', '=', organizationId)
    .where('connection_id', '=', connectionId)
    .where('agent_id', '=', agentId)
    .$if(contextId !== undefined, (query) => query.where('context_id', '=', contextId ?? ''))
    .$if(state !== undefined, (query) => query.where('state', '=', state ?? ''));
  const { total } = await some.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await some
    .select(['task_id', 'state', 'context_id', 'updated_at'])
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(updated_at, task_id) < (${after?.updatedAt ?? ''}::timestamptz, ${after?.taskId ?? ''})`),
    )
    .orderBy('updated_at', 'desc')
    .orderBy('task_id', 'desc')
    .limit(limit)
    .execute();
  return { rows, total };
};
