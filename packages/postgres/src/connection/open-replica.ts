import { sql } from 'kysely';
import type { Database } from './connect.ts';
import { searchInTenant, type TenantScope, type TenantTransaction } from './in-tenant.ts';
import { isUnavailable } from './is-unavailable.ts';

/** Why the replica is currently not read, for the log. */
export type ReplicaFault = 'unavailable' | 'not_a_replica' | 'other_server' | 'behind';

export type ReplicaOptions = {
  readonly primary: Database;
  readonly replica: Database;
  /** Data older than this is never returned. */
  readonly lagMaxMs: number;
  /** How long the result of a check is used. */
  readonly checkEveryMs: number;
  /** Time in milliseconds that never goes back. */
  readonly now: () => number;
  /** Called when the replica becomes usable (undefined) or unusable. */
  readonly onChange: (fault: ReplicaFault | undefined) => void;
};

export type ReadReplica = {
  /** Returns the fault that prevents reading the replica; undefined if it is recent enough. */
  readonly check: () => Promise<ReplicaFault | undefined>;
  readonly replica: Database;
};

const SAMPLES_MAX = 256;

type Sample = { readonly at: number; readonly position: string };

const readPrimary = async (primary: Database) => {
  const { rows } = await sql<{ position: string; server: string }>`
    select pg_current_wal_lsn()::text as position, (select system_identifier::text from pg_control_system()) as server`.execute(primary);
  return rows[0];
};

/** Returns the newest of the positions that the replica has replayed, as an index; -1 if it has replayed none of them. */
const readReplayed = async (replica: Database, positions: readonly string[]) => {
  const { rows } = await sql<{ recovers: boolean; server: string; replayed: number }>`
    select pg_is_in_recovery() as recovers, (select system_identifier::text from pg_control_system()) as server,
      coalesce((select max(n)::int from unnest(${positions}::text[]) with ordinality as sample (position, n)
        where position::pg_lsn <= pg_last_wal_replay_lsn()), 0) - 1 as replayed`.execute(replica);
  return rows[0];
};

/**
 * Opens a replica whose lag is bounded without comparing clocks: positions of the primary's log are sampled with the time of this process, and
 * the replica has everything from before the newest sample that it has replayed.
 */
export const openReplica = ({ primary, replica, lagMaxMs, checkEveryMs, now, onChange }: ReplicaOptions): ReadReplica => {
  let samples: readonly Sample[] = [];
  let last: { readonly at: number; readonly fault: Promise<ReplicaFault | undefined> } | undefined;
  let reported: ReplicaFault | undefined;

  const find = async (): Promise<ReplicaFault | undefined> => {
    const at = now();
    const written = await readPrimary(primary);
    if (written === undefined) return 'unavailable';
    samples = [...samples.filter((sample) => at - sample.at <= lagMaxMs), { at, position: written.position }].slice(-SAMPLES_MAX);
    const found = await readReplayed(
      replica,
      samples.map(({ position }) => position),
    );
    if (found === undefined) return 'unavailable';
    if (!found.recovers) return 'not_a_replica';
    if (found.server !== written.server) return 'other_server';
    return samples[found.replayed] === undefined ? 'behind' : undefined;
  };

  const checkNow = async (): Promise<ReplicaFault | undefined> => {
    const fault = await find().catch((error: unknown): ReplicaFault => {
      if (isUnavailable(error)) return 'unavailable';
      throw error;
    });
    if (fault !== reported) onChange(fault);
    reported = fault;
    return fault;
  };

  const check = (): Promise<ReplicaFault | undefined> => {
    if (last === undefined || now() - last.at >= checkEveryMs) last = { at: now(), fault: checkNow() };
    return last.fault;
  };
  return { check, replica };
};

/** Runs a search in a read-only transaction of one organization. */
export type SearchReader = <Result>(work: (tx: TenantTransaction) => Promise<Result>) => Promise<Result>;

/**
 * Returns a reader for one request. It uses the replica while that is recent and works, and the primary from then on: a request that has
 * read the primary never sees an older state.
 */
export const newSearchReader = (primary: Database, replica: ReadReplica | undefined, scope: TenantScope): SearchReader => {
  let usesReplica = replica !== undefined;
  return async (work) => {
    if (usesReplica && replica !== undefined && (await replica.check()) === undefined) {
      try {
        return await searchInTenant(replica.replica, scope, work);
      } catch (error) {
        // The replica ends a query that conflicts with what it replays, and may be stopped at any time.
        if (!isUnavailable(error)) throw error;
      }
    }
    usesReplica = false;
    return searchInTenant(primary, scope, work);
  };
};
