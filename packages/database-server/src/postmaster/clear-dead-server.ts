import { readFileSync, unlinkSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseServerFault } from '@svc/postgres/migrate/database-server-fault.ts';
import { socketPort } from '../cluster/socket-folder.ts';
import { identifyProcess, type ProcessIdentity, signalProcess } from '../system/process-identity.ts';
import { hasErrorCode } from '../system/system-error.ts';
import { findServerProcesses } from './find-server-processes.ts';

/** Orphans notice the death of their postmaster themselves, usually within milliseconds. */
const patienceMs = 1_000;
const killWithinMs = 5_000;

/**
 * Removes what a killed postmaster left: processes still attached to its shared memory, and locks whose process id now belongs to another
 * program or that name none. Killing an orphan loses nothing, since everything committed is in the write-ahead log.
 * Call only while no postmaster is alive.
 */
export const clearDeadServer = async (cluster: string, socketFolder: string, log: (line: string) => void): Promise<void> => {
  const begun = Date.now();
  for (let orphans = listOrphans(cluster); orphans.length > 0; orphans = listOrphans(cluster)) {
    const waitedMs = Date.now() - begun;
    if (waitedMs > killWithinMs) throw new DatabaseServerFault(stuck(cluster, orphans));
    if (waitedMs > patienceMs) {
      log(`Ending ${orphans.length} processes that a killed database server left behind.`);
      for (const orphan of orphans) signalProcess(orphan, 'SIGKILL');
    }
    await sleep(20);
  }
  for (const lock of [path.join(cluster, 'postmaster.pid'), path.join(socketFolder, `.s.PGSQL.${socketPort}.lock`)])
    clearLock(cluster, lock, log);
};

/** Removes a stale lock, for which the server would refuse to start: it names a living process that is not a postmaster, or none. */
const clearLock = (cluster: string, lock: string, log: (line: string) => void): void => {
  const named = namedIn(lock);
  if (named === undefined || (named !== 'nobody' && identifyProcess(named) === undefined)) return;
  // Checked again, since another start may be in progress. A postmaster is inside its cluster before it creates the files.
  if (findServerProcesses(cluster).postmaster !== undefined || namedIn(lock) !== named) return;
  const why = named === 'nobody' ? 'it contains no process id' : `its process id ${named} belongs to another program now`;
  log(`Removing ${path.basename(lock)}, a lock of a killed database server: ${why}.`);
  unlinkSync(lock);
};

/**
 * Returns the process that a lock names; undefined without a lock. An empty lock, as a power failure may leave it, counts on Linux only,
 * where processes are inspected themselves.
 */
const namedIn = (lock: string): number | 'nobody' | undefined => {
  const text = readLock(lock);
  if (text === undefined) return undefined;
  const first = Number(text.split('\n')[0]);
  if (Number.isSafeInteger(first) && first > 0) return first;
  return process.platform === 'linux' ? 'nobody' : undefined;
};

const readLock = (lock: string): string | undefined => {
  try {
    return readFileSync(lock, 'latin1');
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined;
    throw error;
  }
};

const listOrphans = (cluster: string): readonly ProcessIdentity[] => findServerProcesses(cluster).orphans;

const stuck = (cluster: string, orphans: readonly ProcessIdentity[]): string =>
  `Processes of a killed database server still use ${cluster} and do not exit. Stop them with "kill -9 ${orphans.map(({ pid }) => pid).join(' ')}" and start again.`;
