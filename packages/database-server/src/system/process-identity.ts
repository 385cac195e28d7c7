import { readFileSync } from 'node:fs';
import { failedWith } from './system-error.ts';

/** A process id alone is given out again after its process died; with the moment of its start it names one process for good. */
export type ProcessIdentity = {
  readonly pid: number;
  /** Start of the process in clock ticks since boot (Linux), or empty where the system does not tell. */
  readonly started: string;
};

/** The identity of a living process, undefined when there is none. A zombie holds nothing any more and counts as dead. */
export const identifyProcess = (pid: number): ProcessIdentity | undefined => {
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined;
  if (process.platform !== 'linux') return answersSignals(pid) ? { pid, started: '' } : undefined;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field is the program's name in parentheses and may itself hold spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, started] = [fields[0], fields[19]];
    return state === 'Z' || state === 'X' || started === undefined ? undefined : { pid, started };
  } catch (error) {
    if (failedWith(error, 'ENOENT', 'ESRCH')) return undefined;
    throw error;
  }
};

export const isAlive = (identity: ProcessIdentity): boolean => identifyProcess(identity.pid)?.started === identity.started;

/** Sends a signal to exactly this process; false when it is gone already. */
export const signalProcess = (identity: ProcessIdentity, signal: NodeJS.Signals): boolean => {
  if (!isAlive(identity)) return false;
  try {
    return process.kill(identity.pid, signal);
  } catch (error) {
    if (failedWith(error, 'ESRCH')) return false;
    throw error;
  }
};

const answersSignals = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return failedWith(error, 'EPERM');
  }
};
