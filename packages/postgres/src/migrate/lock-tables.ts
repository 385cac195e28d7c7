import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { DatabaseServerFault } from './database-server-fault.ts';

/**
 * For all tables but those in long use. Shorter than the default of `deadlock_timeout`, so that a migration which waits in a circle with
 * requests gives up before the server aborts one of them.
 */
const ALL_WITHIN_MS = 800;
/** For a table in long use, while nothing else is locked. Long enough for the server to end an automatic vacuum, and short for requests that wait. */
const SLOW_WITHIN_MS = 2_000;
const PAUSE_MS = 200;
const WITHIN_MS = 120_000;

const EXISTING = `
  select c.oid::regclass::text as name
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by c.relname`;

/** Tables that other transactions have locked, with the transaction; a partition counts as its table. */
const HELD = `
  select distinct l.virtualtransaction || ' ' || coalesce(pg_partition_root(l.relation), l.relation)::regclass as held
    from pg_locks l join pg_class c on c.oid = l.relation
   where l.granted and l.pid <> pg_backend_pid() and c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
     and l.database = (select oid from pg_database where datname = current_database())`;

/** Codes of a wait that was given up: a timeout of the statement or of the lock, and a circle of waiting. */
const GIVEN_UP = new Set(['57014', '55P03', '40P01']);

const readHeld = async (client: pg.ClientBase): Promise<ReadonlySet<string>> =>
  new Set((await client.query<{ held: string }>(HELD)).rows.map(({ held }) => held));

/** Tables that a transaction has locked before and after a pause. */
const findSlow = async (client: pg.ClientBase): Promise<ReadonlySet<string>> => {
  const before = await readHeld(client);
  await sleep(PAUSE_MS);
  return new Set([...(await readHeld(client))].filter((held) => before.has(held)).map((held) => held.slice(held.indexOf(' ') + 1)));
};

const lock = async (client: pg.ClientBase, tables: readonly string[], forMs: number): Promise<void> => {
  if (tables.length === 0) return;
  await client.query(`set local statement_timeout to ${forMs}`);
  await client.query(`lock table ${tables.join(', ')} in access exclusive mode`);
};

const tryOnce = async (client: pg.ClientBase, slow: readonly string[], others: readonly string[]): Promise<boolean> => {
  await client.query('savepoint tables_locked');
  try {
    await lock(client, slow, SLOW_WITHIN_MS);
    await lock(client, others, ALL_WITHIN_MS);
    return true;
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || !GIVEN_UP.has(error.code ?? '')) throw error;
    await client.query('rollback to savepoint tables_locked');
    return false;
  }
};

/**
 * Locks all tables before the first migration changes one. A migration that locked them one after another would wait for requests which
 * wait for it, and the server would abort one of both. Requests wait until the transaction ends.
 */
export const lockTables = async (client: pg.ClientBase): Promise<void> => {
  const tables = (await client.query<{ name: string }>(EXISTING)).rows.map(({ name }) => name);
  const { rows } = await client.query<{ statement_timeout: string }>('show statement_timeout');
  let slow: ReadonlySet<string> = new Set();
  for (const until = performance.now() + WITHIN_MS; performance.now() < until; slow = await findSlow(client)) {
    const [first, others] = [tables.filter((name) => slow.has(name)), tables.filter((name) => !slow.has(name))];
    if (!(await tryOnce(client, first, others))) continue;
    await client.query("select set_config('statement_timeout', $1, true)", [rows[0]?.statement_timeout]);
    return;
  }
  throw new DatabaseServerFault(
    'The upgrade was not started, because transactions hold tables of the database, such as a backup or a report. Nothing was changed. Start it again after they have ended.',
  );
};
