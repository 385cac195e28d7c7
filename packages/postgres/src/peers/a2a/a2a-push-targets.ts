import { type Insertable, sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import type { Tables } from '../../connection/tables.ts';
import type { A2aPushConfigRow, PushConfigScope } from './a2a-push-configs.ts';

/** Identifies a push config in all organizations. */
export type PushConfigKey = { readonly organization_id: string; readonly connection_id: string; readonly id: string };

type Most = { readonly countMax: number; readonly ofOneMax: number };

/** Finds push configs whose partner is due to be notified, a bounded number of each organization. */
export const findDueNotifications = async (
  identity: Database,
  now: Date,
  { countMax, ofOneMax }: Most,
): Promise<readonly PushConfigKey[]> => {
  const { rows } = await sql<PushConfigKey>`
    select organization_id, connection_id, id from (
      select organization_id, connection_id, id, due_at, row_number() over (partition by organization_id order by due_at) as place
        from a2a_push_configs where due_at <= ${now}) due
     where place <= ${ofOneMax} order by due_at limit ${countMax}`.execute(identity);
  return rows;
};

const ofKey = ({ organization_id, connection_id, id }: PushConfigKey) =>
  sql<boolean>`organization_id = ${organization_id} and connection_id = ${connection_id} and id = ${id}`;

/** Locks a push config of a partner until the transaction ends. */
export const lockPushTarget = (tx: TenantTransaction, key: PushConfigKey): Promise<A2aPushConfigRow | undefined> =>
  tx.selectFrom('a2a_push_configs').selectAll().where(ofKey(key)).where('sealed_target', 'is not', null).forUpdate().executeTakeFirst();

type Told = Partial<Pick<Insertable<Tables['a2a_push_configs']>, 'told_state' | 'due_at' | 'attempts'>>;

/** Changes what the partner of a push config is notified of, and when. */
export const updatePushTarget = async (tx: TenantTransaction, key: PushConfigKey, told: Told): Promise<void> => {
  await tx.updateTable('a2a_push_configs').set(told).where(ofKey(key)).execute();
};

export const deletePushTarget = async (tx: TenantTransaction, key: PushConfigKey): Promise<void> => {
  await tx.deleteFrom('a2a_push_configs').where(ofKey(key)).execute();
};

/** Finds the newest push config of a task that has no target yet. */
export const findTargetless = (
  tx: TenantTransaction,
  { organizationId, connectionId, agentId }: PushConfigScope,
  taskId: string,
): Promise<PushConfigKey | undefined> =>
  tx
    .selectFrom('a2a_push_configs')
    .select(['organization_id', 'connection_id', 'id'])
    .where('organization_id', '=', organizationId)
    .where('connection_id', '=', connectionId)
    .where('agent_id', '=', agentId)
    .where('task_id', '=', taskId)
    .where('sealed_target', 'is', null)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();

type Target = { readonly sealed: Buffer; readonly toldTaskId: string; readonly now: Date };

/** Stores the target of a push config. The partner is notified at once if the task has another state by now than the one that it knows. */
export const putPushTarget = async (
  tx: TenantTransaction,
  key: PushConfigKey,
  { sealed, toldTaskId, now }: Target,
  toldState: string | null,
): Promise<void> => {
  const state = sql<string | null>`(select t.state from a2a_tasks t where t.organization_id = a2a_push_configs.organization_id
    and t.connection_id = a2a_push_configs.connection_id and t.task_id = a2a_push_configs.task_id)`;
  await tx
    .updateTable('a2a_push_configs')
    .set({
      sealed_target: sealed,
      told_task_id: toldTaskId,
      told_state: sql<string | null>`coalesce(${state}, ${toldState}::text)`,
      due_at: sql<Date | null>`case when ${state} is distinct from ${toldState}::text and ${state} is not null then ${now}::timestamptz end`,
    })
    .where(ofKey(key))
    .execute();
};

/** Finds the push config of a message that waits for an approval. */
export const findHeldPushTarget = (
  tx: TenantTransaction,
  { organizationId, connectionId, agentId }: PushConfigScope,
  heldTaskId: string,
): Promise<A2aPushConfigRow | undefined> =>
  tx
    .selectFrom('a2a_push_configs')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('connection_id', '=', connectionId)
    .where('agent_id', '=', agentId)
    .where('task_id', '=', heldTaskId)
    .where('approval_id', 'is not', null)
    .forUpdate()
    .executeTakeFirst();

/** The context of a task by the id that the partner knows; null if it has none. */
export const findTaskContext = async (tx: TenantTransaction, { organization_id, connection_id }: PushConfigKey, taskId: string) => {
  const row = await tx
    .selectFrom('a2a_tasks')
    .select('context_id')
    .where('organization_id', '=', organization_id)
    .where('connection_id', '=', connection_id)
    .where('task_id', '=', taskId)
    .executeTakeFirst();
  return row?.context_id ?? null;
};
