import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive, type ProcessIdentity, signalProcess } from '../system/process-identity.ts';

/** Fast shutdown first; a server that does not follow is stopped harder, which only costs a recovery at the next start. */
const steps = [
  { signal: 'SIGINT', waitMs: 20_000 },
  { signal: 'SIGQUIT', waitMs: 5_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
] as const;

/** Resolves when the server has exited and flushed all its writes. */
export const stopPostmaster = async (postmaster: ProcessIdentity): Promise<void> => {
  for (const { signal, waitMs } of steps) {
    if (!signalProcess(postmaster, signal)) return;
    // A frozen process handles no signal until it continues.
    signalProcess(postmaster, 'SIGCONT');
    for (const until = Date.now() + waitMs; Date.now() < until; await sleep(5)) {
      if (!isAlive(postmaster)) return;
    }
  }
};
