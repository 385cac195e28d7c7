import type pg from 'pg';
import { DATABASE_ROLES } from '../connection/connect.ts';
import { assertEncoding, assertKnown, assertOwnKey, assertRights } from './assert-usable.ts';
import { DatabaseServerFault } from './database-server-fault.ts';
import type { Installation } from './installation.ts';
import { lookAtDatabase } from './look-at-database.ts';
import { asOwner } from './migrate.ts';
import { readMigrations } from './read-migrations.ts';

/** One line of a check before an upgrade. */
export type CheckLine = {
  /** FAULT prevents the upgrade; NOTE is for the operator to consider. */
  readonly kind: 'OK' | 'NOTE' | 'FAULT';
  readonly text: string;
};

const PENDING_NAMES_MAX = 10;

type Activity = { readonly programs: number; readonly oldest_seconds: number | null; readonly prepared: number };

/** Connections of the programs, and what would hold up the locks of a migration. */
const readActivity = async (client: pg.ClientBase, installation: Installation): Promise<Activity> => {
  const { rows } = await client.query<Activity>(
    `select count(*) filter (where usename = any ($1))::int as programs,
            extract(epoch from max(clock_timestamp() - xact_start) filter (where pid <> pg_backend_pid() and xact_start is not null))::int as oldest_seconds,
            (select count(*)::int from pg_prepared_xacts where database = current_database()) as prepared
       from pg_stat_activity where datname = current_database()`,
    [DATABASE_ROLES.map((role) => installation.loginOf(role).user)],
  );
  return rows[0] ?? { programs: 0, oldest_seconds: null, prepared: 0 };
};

const LONG_SECONDS = 60;

const activityLines = ({ programs, oldest_seconds, prepared }: Activity): readonly CheckLine[] => [
  programs === 0
    ? { kind: 'OK', text: 'No program of the service is connected.' }
    : {
        kind: 'NOTE',
        text: `${programs} connections of running programs. docs/operating/upgrades.md says whether they may go on while migrations are applied.`,
      },
  ...(oldest_seconds !== null && oldest_seconds >= LONG_SECONDS
    ? [{ kind: 'NOTE' as const, text: `A transaction has been open for ${oldest_seconds} s. Migrations wait for it: end it first.` }]
    : []),
  ...(prepared > 0
    ? [{ kind: 'FAULT' as const, text: `${prepared} prepared transactions hold locks. Commit or roll them back (pg_prepared_xacts).` }]
    : []),
];

/** A line for an assertion of the migration: its sentence if it fails. */
const checkAssertion = async (text: string, assertion: () => Promise<void> | void): Promise<CheckLine> => {
  try {
    await assertion();
    return { kind: 'OK', text };
  } catch (error) {
    if (!(error instanceof DatabaseServerFault)) throw error;
    return { kind: 'FAULT', text: error.message };
  }
};

const pendingLine = (pending: readonly string[]): CheckLine => {
  if (pending.length === 0) return { kind: 'OK', text: 'No migration is pending: the programs of this version can start.' };
  const names = pending.slice(0, PENDING_NAMES_MAX).join(', ');
  const more = pending.length > PENDING_NAMES_MAX ? ` and ${pending.length - PENDING_NAMES_MAX} more` : '';
  return { kind: 'NOTE', text: `${pending.length} migrations are pending: ${names}${more}. Back up first.` };
};

/** Checks everything that `migrate` requires, and changes nothing. */
export const checkUpgrade = (ownerUrl: string, installation: Installation): Promise<readonly CheckLine[]> =>
  asOwner(ownerUrl, async (client) => {
    const found = await lookAtDatabase(client);
    const migrations = await readMigrations();
    return [
      await checkAssertion('The schema is of this version or an older one.', () => assertKnown(found, migrations)),
      await checkAssertion('The master key matches.', () => assertOwnKey(client, found, installation)),
      await checkAssertion('The encoding is UTF8, or the database is in use.', () => assertEncoding(client, found)),
      await checkAssertion('The server and the rights of the owner suffice.', () => assertRights(client, installation)),
      pendingLine(migrations.map(({ name }) => name).filter((name) => !found.applied.has(name))),
      ...activityLines(await readActivity(client, installation)),
    ];
  });
