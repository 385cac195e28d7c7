import type { StoredEventRow } from '@svc/postgres/audit/as-audit-event.ts';
import { macOfRow } from '@svc/postgres/audit/row-mac.ts';
import { authenticateRows } from '@svc/postgres/migrate/adopt-events.ts';
import type pg from 'pg';
import { TEST_AUTHENTICATOR } from '../database/master-key.ts';

/**
 * Runs `work`, which inserts events as the owner of the database, in one transaction, and adds the MACs that the service would compute.
 * Continues a transaction that has already written.
 */
export const authenticateEvents = async (owner: pg.ClientBase, work: () => Promise<unknown>): Promise<void> => {
  const { rows } = await owner.query('select pg_current_xact_id_if_assigned() is null as is_free');
  const isOwn = rows[0].is_free;
  if (isOwn) await owner.query('begin');
  try {
    await work();
    // The service writes times with milliseconds.
    await owner.query(
      "update audit_events set occurred_at = date_trunc('milliseconds', occurred_at) where mac is null and xmin = pg_current_xact_id()::xid",
    );
    await authenticateRows(owner, TEST_AUTHENTICATOR, 'e.xmin = pg_current_xact_id()::xid');
    if (isOwn) await owner.query('commit');
  } catch (error) {
    if (isOwn) await owner.query('rollback');
    throw error;
  }
};

/** Returns the MAC that the service writes with an event of these columns. */
export const getEventMac = (row: Omit<StoredEventRow, 'actor_name'> & { readonly actor_name?: string | null }): Buffer =>
  Buffer.from(macOfRow(TEST_AUTHENTICATOR, { actor_name: null, ...row }), 'hex');
