import { type Insertable, type Selectable, sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import type { Tables } from '../../connection/tables.ts';
import type { RuntimeRow } from './runtimes.ts';

export type HeartbeatRow = Selectable<Tables['runtime_heartbeats']>;
type Key = { readonly organization_id: string; readonly runtime_id: string };

/** The columns of a runtime that the gateway may read for its hook file. */
export type HookedRuntime = Pick<
  RuntimeRow,
  'organization_id' | 'id' | 'workspace_id' | 'environment_id' | 'agent_id' | 'kind' | 'name' | 'status' | 'settings'
>;

/** Returns a runtime that an agent is bound to. */
export const findRuntimeOfAgent = (
  tx: TenantTransaction,
  organizationId: string,
  runtimeId: string,
  agentId: string,
): Promise<HookedRuntime | undefined> =>
  tx
    .selectFrom('runtimes')
    .select(['organization_id', 'id', 'workspace_id', 'environment_id', 'agent_id', 'kind', 'name', 'status', 'settings'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', runtimeId)
    .where('agent_id', '=', agentId)
    .executeTakeFirst();

/** Returns the nonces that a process may answer, newest first, and locks its heartbeat. */
export const findNonces = async (tx: TenantTransaction, { organization_id, runtime_id }: Key, processId: string): Promise<string[]> => {
  const row = await tx
    .selectFrom('runtime_heartbeats')
    .select(['nonce', 'previous_nonce'])
    .where('organization_id', '=', organization_id)
    .where('runtime_id', '=', runtime_id)
    .where('process_id', '=', processId)
    .forUpdate()
    .executeTakeFirst();
  return row === undefined ? [] : [row.nonce, row.previous_nonce].filter((each) => each !== null);
};

/** Replaces the heartbeat of a process, and removes those of processes beyond the newest ones. */
export const upsertHeartbeat = async (
  tx: TenantTransaction,
  row: Insertable<Tables['runtime_heartbeats']>,
  processesMax: number,
): Promise<void> => {
  const { organization_id, runtime_id, process_id: _, workspace_id: __, environment_id: ___, ...changes } = row;
  await tx
    .insertInto('runtime_heartbeats')
    .values(row)
    .onConflict((conflict) => conflict.columns(['organization_id', 'runtime_id', 'process_id']).doUpdateSet(changes))
    .execute();
  await sql`
    delete from runtime_heartbeats where organization_id = ${organization_id} and runtime_id = ${runtime_id}
       and process_id not in (select process_id from runtime_heartbeats where organization_id = ${organization_id} and runtime_id = ${runtime_id}
                               order by at desc, process_id limit ${processesMax})`.execute(tx);
};

/** Heartbeats of a runtime since a time, newest first. */
export const listHeartbeats = (tx: TenantTransaction, { organization_id, runtime_id }: Key, since: string): Promise<HeartbeatRow[]> =>
  tx
    .selectFrom('runtime_heartbeats')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where('runtime_id', '=', runtime_id)
    .where('at', '>=', since)
    .orderBy('at', 'desc')
    .execute();

/** Notes a refused workflow; true if it is the first of its hour. */
export const insertHookRefusal = async (tx: TenantTransaction, row: Insertable<Tables['runtime_hook_refusals']>): Promise<boolean> => {
  await sql`delete from runtime_hook_refusals where organization_id = ${row.organization_id} and runtime_id = ${row.runtime_id}
             and hour < ${row.hour}::timestamptz - interval '1 day'`.execute(tx);
  const added = await tx
    .insertInto('runtime_hook_refusals')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('subject')
    .executeTakeFirst();
  return added !== undefined;
};
