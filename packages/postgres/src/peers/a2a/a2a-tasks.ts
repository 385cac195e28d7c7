import { type Insertable, sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import type { Tables } from '../../connection/tables.ts';

type Key = { readonly organizationId: string; readonly connectionId: string; readonly taskId: string; readonly agentId: string };

/** Returns true if the agent started the task. */
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

const DELETED_AT_ONCE = 20;

/** Keeps a task of an agent. A task that is kept already stays with its agent. A few tasks of before `oldest` are deleted. */
export const keepA2aTask = async (tx: TenantTransaction, row: Insertable<Tables['a2a_tasks']>, oldest: Date): Promise<void> => {
  await tx
    .insertInto('a2a_tasks')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await sql`
    delete from a2a_tasks where ctid = any(array(
      select ctid from a2a_tasks
       where organization_id = ${row.organization_id} and connection_id = ${row.connection_id} and created_at < ${oldest}
       limit ${DELETED_AT_ONCE}))`.execute(tx);
};
