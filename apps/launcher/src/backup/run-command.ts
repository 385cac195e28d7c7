import path from 'node:path';
import { getConnectionError, openDatabase, type RunningDatabase } from '../database/prepare-database.ts';
import { LaunchFault } from '../faults/launch-fault.ts';
import { listFaults } from '../faults/list-faults.ts';
import { type LauncherSettings, readLauncherSettings } from '../settings/settings.ts';
import type { OnProgressRows } from './backup-file.ts';

export type BackupCommand = {
  /** The named file as an absolute path. */
  readonly file: string;
  readonly settings: LauncherSettings;
  readonly say: (line: string) => void;
};

const NO_HURRY = new Promise<never>(() => {});
const SAY_EVERY_MS = 5_000;

/** Reports progress every few seconds. */
export const newProgress = (say: (line: string) => void, total?: number): OnProgressRows => {
  let saidAt = performance.now();
  const told = (rows: number): string => rows.toLocaleString('en');
  return (rows) => {
    if (performance.now() - saidAt < SAY_EVERY_MS) return;
    saidAt = performance.now();
    say(total === undefined ? `  ${told(rows)} rows so far` : `  ${told(rows)} of ${told(total)} rows`);
  };
};

/** Runs `work` on the configured database; starts an embedded one that is not running for that time. */
export const withDatabase = async <Result>(
  { settings, say }: BackupCommand,
  work: (database: RunningDatabase) => Promise<Result>,
): Promise<Result> => {
  const database = await openDatabase(settings.dataDir, settings.databaseUrl, say);
  try {
    return await work(database);
  } finally {
    await database.stop(NO_HURRY);
  }
};

/** Runs a command with one file: parses the arguments, runs it, and reports errors as sentences. */
export const runCommand = async (usage: string, work: (command: BackupCommand) => Promise<void>): Promise<void> => {
  const words = process.argv.slice(2);
  if (words.some((word) => word === '--help' || word === '-h')) return console.log(usage);
  const [file] = words;
  if (file === undefined || words.length > 1 || file.startsWith('-')) {
    const strange = words.find((word) => word.startsWith('-')) ?? words[1];
    console.error(strange === undefined ? usage : `${strange} is not recognized.\n\n${usage}`);
    process.exitCode = 2;
    return;
  }
  // Settings for another PostgreSQL must not affect connections to the embedded one.
  if (!process.env.DATABASE_URL) for (const name of Object.keys(process.env)) if (name.startsWith('PG')) delete process.env[name];
  const { settings, faults } = readLauncherSettings(process.env, path.resolve(import.meta.dirname, '..', '..', '..', '..'));
  // Exiting stops an embedded database that was started here.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
  try {
    if (faults.length > 0) throw new LaunchFault(...faults);
    await work({ file: path.resolve(file), settings, say: (line) => console.log(line) });
  } catch (error) {
    console.error(
      listFaults(error)?.join('\n') ?? `The database could not be queried (${getConnectionError(error)}), and no partial changes remain.`,
    );
    process.exitCode = 1;
  }
};
