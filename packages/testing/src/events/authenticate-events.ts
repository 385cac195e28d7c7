import { authenticateRows } from '@svc/postgres/migrate/adopt-events.ts';
import type pg from 'pg';
import { TEST_AUTHENTICATOR } from '../database/master-key.ts';

/** Runs `work`, which inserts events as the owner of the database, in one transaction, and gives them the MACs that the service would. */
export const authenticateEvents = async <Result>(owner: pg.ClientBase, work: () => Promise<Result>): Promise<Result> => {
  await owner.query('begin');
  try {
    const result = await work();
    await authenticateRows(owner, TEST_AUTHENTICATOR, 'e.xmin = pg_current_xact_id()::xid');
    await owner.query('commit');
    return result;
  } catch (error) {
    await owner.query('rollback');
    throw error;
  }
};
