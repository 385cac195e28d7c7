import { appendFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectAsOwner } from '../../database/database.ts';
import { type StartedPlanes, startPlanes } from '../start-planes.ts';
import { readFingerprint } from './fingerprint.ts';
import { GATEWAYS, type LeaseGrant } from './terms.ts';

/** Planes that are idle or leased. */
export type ReadyPlanes = {
  readonly grant: () => LeaseGrant;
  /**
   * Resolves to null if another test finds them as this one did: alive, ready, no connections, and tables, permissions and keys unaltered.
   */
  readonly unfit: () => Promise<string | null>;
  /** Halts their work, such as jobs, which takes a twentieth of a core. */
  readonly halt: () => void;
  /** Resolves to null once they respond again. */
  readonly wake: () => Promise<string | null>;
  readonly stop: () => Promise<void>;
};

const answerWithinMs = 5_000;
const awakeWithinMs = 20_000;
const leftWithinMs = 3_000;
/** A new one has some 15 MiB; in a much larger one each test that compares every table reads all of it. */
const DATABASE_BYTES_MAX = 48 * 2 ** 20;

const isReady = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(answerWithinMs) })).ok;
  } catch {
    return false;
  }
};

/** Expired state from the halt shows at the first check, and is gone by one of the next. */
const areReady = async (urls: readonly string[]): Promise<boolean> => {
  for (const until = Date.now() + awakeWithinMs; Date.now() < until; await sleep(20))
    if ((await Promise.all(urls.map(isReady))).every(Boolean)) return true;
  return false;
};

/** A test file's own connections end with its process, a moment after it returned the planes. */
const isLeft = async (owner: Awaited<ReturnType<typeof connectAsOwner>>): Promise<boolean> => {
  for (const until = Date.now() + leftWithinMs; Date.now() < until; await sleep(20)) {
    const { rowCount } = await owner.query(
      "select from pg_stat_activity where datname = current_database() and application_name = 'svc test' and pid <> pg_backend_pid()",
    );
    if (rowCount === 0) return true;
  }
  return false;
};

const hasGrown = async (owner: Awaited<ReturnType<typeof connectAsOwner>>): Promise<boolean> => {
  const { rows } = await owner.query<{ bytes: string }>('select pg_database_size(current_database()) as bytes');
  return Number(rows[0]?.bytes) > DATABASE_BYTES_MAX;
};

const listProcesses = ({ control, gateways, jobs }: StartedPlanes) => [control, ...gateways, ...(jobs ? [jobs] : [])];

const keepLogs = (planes: StartedPlanes, logFile: string): void => {
  writeFileSync(logFile, '');
  for (const { stderr } of listProcesses(planes)) stderr?.on('data', (text: string) => appendFileSync(logFile, text));
};

/** Starts planes for leases; `logFile` is theirs. */
export const startReadyPlanes = async (env: Readonly<Record<string, string>>, logFile: string): Promise<ReadyPlanes> => {
  const planes = await startPlanes({ env, gateways: GATEWAYS });
  keepLogs(planes, logFile);
  const { controlUrl, gatewayUrls, database } = planes;
  const owner = await connectAsOwner(database.url);
  owner.on('error', () => undefined);
  const untouched = await readFingerprint(owner);
  const signalAll = (signal: NodeJS.Signals): void => {
    for (const child of listProcesses(planes)) child.kill(signal);
  };
  const isRunning = (): boolean => listProcesses(planes).every(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
  return {
    grant: () => ({ ok: true, controlUrl, gatewayUrls, databaseUrl: database.url, logFile, logStart: statSync(logFile).size }),
    unfit: async () => {
      if (!isRunning()) return 'a plane has ended';
      if (!(await isLeft(owner))) return 'a connection to their database is still open';
      // Wrong sign-ins of one test must not lock out the next, which uses the same address.
      await owner.query('delete from sign_in_failures');
      if (await hasGrown(owner)) return 'their database has grown large';
      if ((await readFingerprint(owner)) !== untouched) return 'their database was altered';
      return (await Promise.all([controlUrl, ...gatewayUrls].map(isReady))).every(Boolean) ? null : 'a plane is not ready';
    },
    halt: () => signalAll('SIGSTOP'),
    wake: async () => {
      signalAll('SIGCONT');
      return (await areReady([controlUrl, ...gatewayUrls])) ? null : 'a plane that was halted is not ready';
    },
    stop: async () => {
      await owner.end().catch(() => undefined);
      await planes.stop();
      rmSync(logFile, { force: true });
    },
  };
};
