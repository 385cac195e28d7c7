import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const isGone = (error: unknown): boolean => ['ESRCH', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '');

/** Returns the parent of a process; undefined if it has ended. */
const getParent = (pid: number): number | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field is the program's name in parentheses and may contain spaces and parentheses.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch (error) {
    if (!isGone(error)) throw error;
    return undefined;
  }
};

/** A Linux image may lack `ps`; other systems lack /proc. */
const getChildren = (pid: number): number[] => {
  if (process.platform === 'linux') {
    const all = readdirSync('/proc').map(Number).filter(Number.isSafeInteger);
    return all.filter((other) => getParent(other) === pid);
  }
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  return rows.map((row) => row.trim().split(/\s+/).map(Number)).flatMap(([child = 0, parent]) => (parent === pid ? [child] : []));
};

const send = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It has ended since it was found.
    if (!isGone(error)) throw error;
  }
};

/** Signals a process and its children; it is halted first, so that it starts no more of them. */
export const getSignalTree = (pid: number, signal: NodeJS.Signals): void => {
  send(pid, 'SIGSTOP');
  const children = getChildren(pid);
  send(pid, signal);
  for (const child of children) send(child, signal);
};
