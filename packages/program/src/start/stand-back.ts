import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

const NICENESS = constants.priority.PRIORITY_BELOW_NORMAL;

/** Errors by which a system reports that a call does not exist or is not permitted. */
const REFUSED = new Set(['ENOENT', 'EACCES', 'EPERM', 'EROFS', 'EAGAIN', 'EINVAL', 'ESRCH', 'ERR_SYSTEM_ERROR']);

const unlessRefused = (work: () => void): void => {
  try {
    work();
  } catch (error) {
    if (!REFUSED.has(String((error as { readonly code?: unknown }).code))) throw error;
  }
};

/** Returns the fields of this process in /proc after its name: state, parent, group, session and more. */
const listStatus = (): readonly string[] =>
  readFileSync('/proc/self/stat', 'latin1')
    .replace(/^.*\) /s, '')
    .split(' ');

/**
 * Returns true if the session contains only this process and its children. Linux shares processors among sessions first [autogroup], and
 * only
 * within one by niceness: so a session leader has to lower its session's priority too, and a process that shares a terminal's session must
 * not.
 */
const leadsItsSession = (): boolean => listStatus()[3] === String(process.pid);

/**
 * Lowers the process priority below every other program of the machine. On Linux niceness belongs to a thread, and the engine's helper
 * threads
 * started before this call. If the system does not allow it, the priority stays unchanged.
 */
export const lowerProcessPriority = (): void => {
  unlessRefused(() => setPriority(NICENESS));
  if (process.platform !== 'linux') return;
  unlessRefused(() => {
    for (const thread of readdirSync('/proc/self/task')) unlessRefused(() => setPriority(Number(thread), NICENESS));
  });
  unlessRefused(() => {
    if (leadsItsSession()) writeFileSync('/proc/self/autogroup', String(NICENESS));
  });
};
