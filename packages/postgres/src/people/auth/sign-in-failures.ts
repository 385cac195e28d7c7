import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';

export type LockoutTerms = { readonly attemptsMax: number; readonly lockoutSeconds: number };

/** Until when one of the keys is locked, or undefined. */
export const lockedUntil = async (identity: Database, keys: readonly string[], now: Date): Promise<string | undefined> => {
  const { rows } = await sql<{ locked_until: string }>`
    select locked_until from sign_in_failures where key in (${sql.join(keys)}) and locked_until > ${now}
     order by locked_until desc limit 1`.execute(identity);
  return rows[0]?.locked_until;
};

/** Returns those of the keys that are locked. */
export const listLockedKeys = async (identity: Database, keys: readonly string[], now: Date): Promise<ReadonlySet<string>> => {
  const { rows } = await sql<{ key: string }>`
    select key from sign_in_failures where key = any (${[...keys]}::text[]) and locked_until > ${now}`.execute(identity);
  return new Set(rows.map(({ key }) => key));
};

/** Deletes rows that no longer count, a few at a time, so that names invented by an attacker do not accumulate. */
const sweep = async (identity: Database, now: Date, lockoutSeconds: number): Promise<void> => {
  await sql`
    delete from sign_in_failures where key in (
      select key from sign_in_failures
       where first_failed_at < ${now}::timestamptz - make_interval(secs => ${2 * lockoutSeconds})
       order by first_failed_at limit 20 for update skip locked)`.execute(identity);
};

/** The key of a guess count, and the count that locks it. */
export type GuessKey = { readonly key: string; readonly attemptsMax: number };

/** The failures that are counted under a key now. */
type CountedKey = { readonly key: string; readonly failures: number };

type Told = { readonly isRight: boolean; readonly now: Date; readonly lockoutSeconds: number };

/**
 * Counts a verified guess on each key, before the result is disclosed: a wrong one as one, a right one as nothing, in order of
 * arrival. The count that reaches `attemptsMax` locks the key; failures older than a lockout no longer count. Returns the keys
 * that were not locked: of concurrent guesses, a right one among them, no more are disclosed than sequential ones would be.
 */
export const countGuess = async (
  identity: Database,
  keys: readonly GuessKey[],
  { isRight, now, lockoutSeconds }: Told,
): Promise<readonly CountedKey[]> => {
  const step = isRight ? 0 : 1;
  const until = sql`${now}::timestamptz + make_interval(secs => ${lockoutSeconds})`;
  const ordered = [...keys].sort((a, b) => (a.key < b.key ? -1 : 1));
  const maxOf = sql`(select q.attempts_max from unnest(${ordered.map(({ key }) => key)}::text[],
    ${ordered.map(({ attemptsMax }) => attemptsMax)}::int[]) as q (key, attempts_max) where q.key = f.key)`;
  const values = sql.join(
    ordered.map(
      ({ key, attemptsMax }) => sql`(${key}, ${step}::int, ${now}::timestamptz, ${step >= attemptsMax ? until : sql`null::timestamptz`})`,
    ),
  );
  const isOver = sql`(f.locked_until <= ${now} or f.first_failed_at <= ${now}::timestamptz - make_interval(secs => ${lockoutSeconds}))`;
  const { rows } = await sql<CountedKey>`
    insert into sign_in_failures as f (key, failures, first_failed_at, locked_until) values ${values}
    on conflict (key) do update set
      failures = case when ${isOver} then excluded.failures else f.failures + excluded.failures end,
      first_failed_at = case when ${isOver} then excluded.first_failed_at else f.first_failed_at end,
      locked_until = case when ${isOver} then excluded.locked_until when f.failures + excluded.failures >= ${maxOf} then ${until} end
    where f.locked_until is null or f.locked_until <= ${now}
    returning key, failures`.execute(identity);
  await sweep(identity, now, lockoutSeconds);
  return rows;
};

/** Takes what was counted under a key back, unless it has locked already. */
export const forgiveKey = async (identity: Database, key: string): Promise<void> => {
  await identity.deleteFrom('sign_in_failures').where('key', '=', key).where('locked_until', 'is', null).execute();
};

/** Ends the lockout of a key, and forgets what led to it. */
export const unlock = async (identity: Database, key: string): Promise<void> => {
  await identity.deleteFrom('sign_in_failures').where('key', '=', key).execute();
};

export type FailureKeys = { readonly account: string; readonly address: string; readonly accountAtAddress: string };

/** Resets an account after a right proof, and subtracts its failures from the address, which keeps those of other accounts. */
export const forgiveFailures = async (identity: Database, keys: FailureKeys): Promise<void> => {
  await sql`
    with mine as (
      select key from sign_in_failures where key in (${keys.account}, ${keys.accountAtAddress}) and locked_until is null
       order by key for update),
    forgiven as (
      delete from sign_in_failures where key in (select key from mine) returning key, failures, first_failed_at)
    update sign_in_failures f set failures = greatest(0, f.failures - p.failures)
      from forgiven p
     where f.key = ${keys.address} and f.locked_until is null
       and p.key = ${keys.accountAtAddress} and p.first_failed_at >= f.first_failed_at`.execute(identity);
};
