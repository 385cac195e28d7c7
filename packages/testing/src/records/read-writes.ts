import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

/** Content of a database and everything ever written to it, by name. */
export type Writes = Readonly<Record<string, string>>;

const LOGINS =
  "application_name in ('svc_app', 'svc_gateway', 'svc_identity', 'svc_reader', 'svc_recorder') and datname = current_database()";
const endWithinMs = 20_000;

/** Ends connections: the server reports what a connection wrote at the latest when it ends; the planes open new ones themselves. */
const endConnections = async (owner: pg.Client): Promise<void> => {
  const { rows } = await owner.query<{ pid: number }>(`select pid, pg_terminate_backend(pid) from pg_stat_activity where ${LOGINS}`);
  const pids = rows.map(({ pid }) => pid);
  for (const until = Date.now() + endWithinMs; Date.now() < until; await sleep(20)) {
    const left = await owner.query('select 1 from pg_stat_activity where pid = any($1)', [pids]);
    if (left.rowCount === 0) return;
  }
  throw new Error('connections of the planes did not end');
};

/**
 * Reads every row with the transaction that wrote it, so that even an identical rewrite shows; the server's counts of inserts, updates and
 * deletes per table, rolled back or not; and the position of each sequence. Two readings are equal only if nothing was written between
 * them. Ends the planes' connections: each side of a comparison must be read so.
 */
export const readWrites = async (owner: pg.Client): Promise<Writes> => {
  await endConnections(owner);
  const writes: Record<string, string> = {};
  const { rows: tables } = await owner.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' order by tablename",
  );
  for (const { name } of tables) {
    const { rows } = await owner.query<{ contents: string }>(
      `select count(*) || ' rows, ' || coalesce(sum(hashtextextended(xmin::text || ' ' || to_jsonb(t)::text, 0)::numeric), 0) as contents from ${name} t`,
    );
    writes[name] = rows[0]?.contents ?? '';
  }
  await owner.query('select pg_stat_force_next_flush()');
  await owner.query('select pg_stat_clear_snapshot()');
  const counted = await owner.query<{ name: string; counts: string }>(
    `select relname as name, n_tup_ins || ' inserted, ' || n_tup_upd || ' changed, ' || n_tup_del || ' deleted' as counts
       from pg_stat_user_tables where schemaname = 'public'`,
  );
  for (const { name, counts } of counted.rows) writes[`${name} (server's count)`] = counts;
  const sequences = await owner.query<{ name: string; at: string }>(
    "select sequencename as name, coalesce(last_value::text, 'unused') as at from pg_sequences where schemaname = 'public'",
  );
  for (const { name, at } of sequences.rows) writes[`${name} (sequence)`] = at;
  return writes;
};
