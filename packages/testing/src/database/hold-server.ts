import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { buildOwnerUrl } from '@svc/database-server/cluster/owner-url.ts';
import pg from 'pg';

const root = path.resolve(import.meta.dirname, '../../../..');

/** One cluster for every test of this working tree, in the run's folder or else in the tree. */
export const testDataDir = process.env.TEST_DATA_DIR ?? path.join(root, '.cache', 'test-database');

/** Shared lock of each process that uses the server; an exclusive holder knows that no one does. */
export const USE_LOCK = 7_201_130_901;

const keeperFile = fileURLToPath(new URL('./keep-server.ts', import.meta.url));
const keeperLog = path.join(testDataDir, 'keeper.log');
const startWithinMs = 180_000;

/** Starts the keeper as a process of its own, so that a test file which ends does not stop the server for others. */
const startKeeper = (): ChildProcess => {
  mkdirSync(testDataDir, { recursive: true, mode: 0o711 });
  const log = openSync(keeperLog, 'w');
  const keeper = spawn(process.execPath, [keeperFile], { detached: true, stdio: ['ignore', 'ignore', log] });
  closeSync(log);
  keeper.unref();
  return keeper;
};

const tryToUse = async (): Promise<pg.Client | undefined> => {
  const url = buildOwnerUrl(testDataDir);
  if (url === undefined) return undefined;
  const session = new pg.Client({ connectionString: url, application_name: 'svc test', connectionTimeoutMillis: 5_000 });
  session.on('error', () => undefined);
  try {
    await session.connect();
    // Waits while the keeper is stopping the server, and fails when it has.
    await session.query('select pg_advisory_lock_shared($1)', [USE_LOCK]);
    return session;
  } catch {
    await session.end().catch(() => undefined);
    return undefined;
  }
};

export type HeldServer = { readonly url: string; readonly release: () => Promise<void> };

const takeHold = async (): Promise<HeldServer> => {
  let keeper: ChildProcess | undefined;
  for (const until = Date.now() + startWithinMs; Date.now() < until; await sleep(25)) {
    const session = await tryToUse();
    const url = buildOwnerUrl(testDataDir);
    if (session && url) {
      // A test process must be able to exit without cleanup; its session, and with it the lock, ends then too.
      const { ref, unref } = session as unknown as Record<'ref' | 'unref', () => void>;
      unref.call(session);
      const release = async (): Promise<void> => {
        ref.call(session);
        await session.end();
      };
      return { url, release };
    }
    if (keeper?.exitCode) throw new Error(`The test database does not start:\n${readFileSync(keeperLog, 'utf8')}`);
    if (!keeper || keeper.exitCode === 0 || keeper.signalCode) keeper = startKeeper();
  }
  throw new Error(`The test database did not answer within ${startWithinMs / 1000} s; ${testDataDir} has its logs.`);
};

let held: Promise<HeldServer> | undefined;

/** Starts the test database server or joins the running one; it runs while any process holds it. */
export const holdServer = (): Promise<HeldServer> => (held ??= takeHold());
