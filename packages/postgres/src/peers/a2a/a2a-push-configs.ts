import type { A2aDirection } from '@svc/contract/peers/a2a/a2a-connections.ts';
import { type Insertable, type Selectable, sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import type { Tables } from '../../connection/tables.ts';

export type A2aPushConfigRow = Selectable<Tables['a2a_push_configs']>;

/** The agent of a push config and its connection. */
export type PushConfigScope = { readonly organizationId: string; readonly connectionId: string; readonly agentId: string };

const DELETED_AT_ONCE = 20;

const select = (tx: TenantTransaction, { organizationId, connectionId, agentId }: PushConfigScope) =>
  tx
    .selectFrom('a2a_push_configs')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('connection_id', '=', connectionId)
    .where('agent_id', '=', agentId);

/** Push configs of an agent for one task, the first created first. */
export const listPushConfigs = (
  tx: TenantTransaction,
  scope: PushConfigScope,
  taskId: string,
  limit: number,
): Promise<A2aPushConfigRow[]> =>
  select(tx, scope).where('task_id', '=', taskId).orderBy('created_at').orderBy('id').limit(limit).execute();

/** Counts the push configs of an agent over a connection, no further than `max`. */
export const countPushConfigs = async (tx: TenantTransaction, scope: PushConfigScope, max: number): Promise<number> =>
  (await select(tx, scope).limit(max).execute()).length;

/** Serializes adding push configs over one connection, so that their limits hold. */
export const takePushConfigTurn = async (tx: TenantTransaction, connectionId: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended('svc a2a push configs ' || ${connectionId}, 0))`.execute(tx);
};

/** Stores a push config. Deletes a few of the connection from before `oldest`. */
export const insertPushConfig = async (tx: TenantTransaction, row: Insertable<Tables['a2a_push_configs']>, oldest: Date): Promise<void> => {
  await sql`
    delete from a2a_push_configs where ctid = any(array(
      select ctid from a2a_push_configs
       where organization_id = ${row.organization_id} and connection_id = ${row.connection_id} and created_at < ${oldest}
       limit ${DELETED_AT_ONCE}))`.execute(tx);
  await tx.insertInto('a2a_push_configs').values(row).execute();
};

/** Binds a push config to its task, unless it already has one. */
export const bindPushConfig = async (
  tx: TenantTransaction,
  { organizationId, connectionId }: PushConfigScope,
  id: string,
  taskId: string,
): Promise<void> => {
  await tx
    .updateTable('a2a_push_configs')
    .set({ task_id: taskId })
    .where('organization_id', '=', organizationId)
    .where('connection_id', '=', connectionId)
    .where('id', '=', id)
    .where('task_id', 'is', null)
    .execute();
};

/** Deletes a push config of an agent; its token is refused from then on. Returns false if there is none. */
export const deletePushConfig = async (
  tx: TenantTransaction,
  { organizationId, connectionId, agentId }: PushConfigScope,
  id: string,
): Promise<boolean> => {
  const { numDeletedRows } = await tx
    .deleteFrom('a2a_push_configs')
    .where('organization_id', '=', organizationId)
    .where('connection_id', '=', connectionId)
    .where('agent_id', '=', agentId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
};

/** Finds a push config by the digest of its token, and locks it until the transaction ends. */
export const lockPushConfig = (
  tx: TenantTransaction,
  organizationId: string,
  connectionId: string,
  tokenHash: string,
): Promise<A2aPushConfigRow | undefined> =>
  tx
    .selectFrom('a2a_push_configs')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('connection_id', '=', connectionId)
    .where('token_hash', '=', tokenHash)
    .forUpdate()
    .executeTakeFirst();

/** Stores the digest of an accepted notification, and the task of its push config. */
export const notePush = async (
  tx: TenantTransaction,
  { organization_id, connection_id, id }: A2aPushConfigRow,
  taskId: string,
  digest: string,
): Promise<void> => {
  await tx
    .updateTable('a2a_push_configs')
    .set({ task_id: taskId, seen: sql`array_append(seen, ${digest})` })
    .where('organization_id', '=', organization_id)
    .where('connection_id', '=', connection_id)
    .where('id', '=', id)
    .execute();
};

/** Current state of a connection and an agent, by which a notification is accepted. */
export type PushGate = {
  readonly status: string;
  readonly direction: A2aDirection;
  readonly agent_status: string;
  readonly is_authorized: boolean;
};

/** Reads the state of a connection, of the agent, and whether the agent may use the connection. */
export const readPushGate = async (
  tx: TenantTransaction,
  { organizationId, connectionId, agentId }: PushConfigScope,
): Promise<PushGate | undefined> => {
  const { rows } = await sql<PushGate>`
    select c.status, c.direction, a.status as agent_status,
           exists (select from tool_agents t where t.organization_id = c.organization_id and t.tool_id = c.tool_id and t.agent_id = a.id)
             as is_authorized
      from a2a_connections c join agents a on a.organization_id = c.organization_id and a.id = ${agentId}
     where c.organization_id = ${organizationId} and c.id = ${connectionId}`.execute(tx);
  return rows[0];
};

/** The agent and the last known state of a task over a connection. */
export const findTaskOwner = (tx: TenantTransaction, organizationId: string, connectionId: string, taskId: string) =>
  tx
    .selectFrom('a2a_tasks')
    .select(['agent_id', 'state'])
    .where('organization_id', '=', organizationId)
    .where('connection_id', '=', connectionId)
    .where('task_id', '=', taskId)
    .executeTakeFirst();
