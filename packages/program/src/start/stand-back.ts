import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

const NICENESS = constants.priority.PRIORITY_BELOW_NORMAL;

/** Errors by which a system says that it has no such thing, or keeps it to others. */
const REFUSED = new Set(['ENOENT', 'EACCES', 'EPERM', 'EROFS', 'EAGAIN', 'EINVAL', 'ESRCH', 'ERR_SYSTEM_ERROR']);

const unlessRefused = (work: () => void): void => {
  try {
    work();
  } catch (error) {
    if (!REFUSED.has(String((error as { readonly code?: unknown }).code))) throw error;
  }
};

/** The numbers that Linux tells of this process behind its name: state, parent, group, session and more. */
const statusOf = (): readonly string[] =>
  readFileSync('/proc/self/stat', 'latin1')
    .replace(/^.*\) /s, '')
    .split(' ');

/**
 * Whether nobody else is in its session but what it started. Linux shares processors among sessions first [autogroup], and only inside one by
 * how nice its processes are: so one that leads a session of its own has to put that back too, and one that shares a terminal's must not.
 */
const leadsItsSession = (): boolean => statusOf()[3] === String(process.pid);

/**
 * Lets every other program of the machine go first: what this process does may wait. On Linux niceness belongs to a thread, and the engine's helpers
 * were begun before anything could be said. Where the system allows none of it, the process runs as any other.
 */
export const standBack = (): void => {
  unlessRefused(() => setPriority(NICENESS));
  if (process.platform !== 'linux') return;
  unlessRefused(() => {
    for (const thread of readdirSync('/proc/self/task')) unlessRefused(() => setPriority(Number(thread), NICENESS));
  });
  unlessRefused(() => {
    if (leadsItsSession()) writeFileSync('/proc/self/autogroup', String(NICENESS));
  });
};
