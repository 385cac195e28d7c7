import { unlinkSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseServerFault } from '@svc/postgres/migrate/database-server-fault.ts';
import { identifyProcess, type ProcessIdentity, signalProcess } from '../system/process-identity.ts';
import { findServerProcesses, readPostmasterPid } from './find-server-processes.ts';

/** Orphans notice the death of their postmaster by themselves, as a rule within milliseconds. */
const patienceMs = 1_000;
const killWithinMs = 5_000;

/**
 * Clears what a killed postmaster left: processes still attached to its shared memory, and a postmaster.pid whose process id
 * has gone to another program. Killing an orphan loses nothing, since everything committed is in the write-ahead log.
 * Called only while no postmaster lives.
 */
export const clearDeadServer = async (cluster: string, log: (line: string) => void): Promise<void> => {
  const begun = Date.now();
  for (let orphans = orphansOf(cluster); orphans.length > 0; orphans = orphansOf(cluster)) {
    const waitedMs = Date.now() - begun;
    if (waitedMs > killWithinMs) throw new DatabaseServerFault(stuck(cluster, orphans));
    if (waitedMs > patienceMs) {
      log(`Ending ${orphans.length} processes that a killed database server left behind.`);
      for (const orphan of orphans) signalProcess(orphan, 'SIGKILL');
    }
    await sleep(20);
  }
  const pid = readPostmasterPid(cluster);
  if (pid === undefined || identifyProcess(pid) === undefined) return;
  // The server would take the stranger for a living postmaster and refuse. Looked at once more, as another start may be under way.
  if (findServerProcesses(cluster).postmaster !== undefined || readPostmasterPid(cluster) !== pid) return;
  log(`Removing the lock of a killed database server: its process id ${pid} belongs to another program now.`);
  unlinkSync(path.join(cluster, 'postmaster.pid'));
};

const orphansOf = (cluster: string): readonly ProcessIdentity[] => findServerProcesses(cluster).orphans;

const stuck = (cluster: string, orphans: readonly ProcessIdentity[]): string =>
  `Processes of a killed database server still hold ${cluster} and do not end: stop them with "kill -9 ${orphans.map(({ pid }) => pid).join(' ')}" and start again.`;
