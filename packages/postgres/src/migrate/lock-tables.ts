import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { DatabaseServerFault } from './database-server-fault.ts';

/**
 * Shorter than the default of `deadlock_timeout`, so that a migration which waits in a circle with requests gives up before the
 * server aborts one of them.
 */
const SHORT_MS = 800;
/** Longer than it, so that the server ends an automatic vacuum that is in the way. */
const LONG_MS = 2_500;
const SHORT_TRIES = 20;
const LONG_TRIES = 4;
const PAUSE_MS = 200;

const EXISTING = `
  select coalesce(string_agg(c.oid::regclass::text, ', ' order by c.relname), '') as tables
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`;

/** Codes of a wait that was given up: a timeout of the statement or of the lock, and a circle of waiting. */
const GIVEN_UP = new Set(['57014', '55P03', '40P01']);

const lockOnce = async (client: pg.ClientBase, tables: string, forMs: number): Promise<boolean> => {
  await client.query(`savepoint tables_locked; set local statement_timeout to ${forMs}`);
  try {
    await client.query(`lock table ${tables} in access exclusive mode`);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || !GIVEN_UP.has(error.code ?? '')) throw error;
    await client.query('rollback to savepoint tables_locked');
    return false;
  }
  return true;
};

/**
 * Locks all tables before the first migration changes one. A migration that locked them one after another would wait for requests which
 * wait for it, and the server would abort one of both. Requests wait until the transaction ends.
 */
export const lockTables = async (client: pg.ClientBase): Promise<void> => {
  const tables: string = (await client.query(EXISTING)).rows[0].tables;
  if (tables === '') return;
  const before: string = (await client.query('show statement_timeout')).rows[0].statement_timeout;
  for (let tries = 0; tries < SHORT_TRIES + LONG_TRIES; tries += 1) {
    if (await lockOnce(client, tables, tries < SHORT_TRIES ? SHORT_MS : LONG_MS)) {
      await client.query("select set_config('statement_timeout', $1, true)", [before]);
      return;
    }
    await sleep(PAUSE_MS);
  }
  throw new DatabaseServerFault(
    'The upgrade was not started, because transactions hold tables of the database, such as a backup or a report. Nothing was changed. Start it again after they have ended.',
  );
};
