import { execFileSync } from 'node:child_process';

/** Each process and the one that started it, as the system tells it now. */
const parents = (): Map<number, number> => {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  return new Map(rows.map((row) => row.trim().split(/\s+/).map(Number) as [number, number]));
};

const childrenOf = (pid: number): number[] => [...parents()].flatMap(([child, parent]) => (parent === pid ? [child] : []));

const send = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It ended by itself since it was found.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
};

/** Signals a process and its children; it is halted first, so that it starts no more of them meanwhile. */
export const signalTree = (pid: number, signal: NodeJS.Signals): void => {
  send(pid, 'SIGSTOP');
  const children = childrenOf(pid);
  send(pid, signal);
  for (const child of children) send(child, signal);
};
