import { readFileSync } from 'node:fs';
import { hasErrorCode } from './system-error.ts';

/** Identifies one process for good: a process id alone is reused after its process died, so its start time is added. */
export type ProcessIdentity = {
  readonly pid: number;
  /** Start time in clock ticks since boot (Linux), or empty if the system does not report it. */
  readonly started: string;
};

/** Returns the identity of a living process; undefined if there is none. A zombie holds nothing any more and counts as dead. */
export const identifyProcess = (pid: number): ProcessIdentity | undefined => {
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined;
  if (process.platform !== 'linux') return answersSignals(pid) ? { pid, started: '' } : undefined;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field is the program's name in parentheses and may itself contain spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, started] = [fields[0], fields[19]];
    return state === 'Z' || state === 'X' || started === undefined ? undefined : { pid, started };
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ESRCH')) return undefined;
    throw error;
  }
};

export const isAlive = (identity: ProcessIdentity): boolean => identifyProcess(identity.pid)?.started === identity.started;

/** Sends a signal to exactly this process; returns false if it has already exited. */
export const signalProcess = (identity: ProcessIdentity, signal: NodeJS.Signals): boolean => {
  if (!isAlive(identity)) return false;
  try {
    return process.kill(identity.pid, signal);
  } catch (error) {
    if (hasErrorCode(error, 'ESRCH')) return false;
    throw error;
  }
};

const answersSignals = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return hasErrorCode(error, 'EPERM');
  }
};
