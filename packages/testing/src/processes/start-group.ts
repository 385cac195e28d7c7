import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

const ENDED_WITHIN_MS = 5_000;
const SAID_MAX = 20_000;

/** A program with all processes that it starts. */
export type ProcessGroup = {
  readonly child: ChildProcess;
  /** Text that the program wrote to standard error. */
  readonly said: () => string;
  /** Kills all of its processes, also those that outlived the first one. */
  readonly end: () => Promise<void>;
};

const killGroup = (pid: number): void => {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
};

/** Starts a program as the first of a group. A worker of nginx survives its master, and would keep the pipe and this process open. */
export const startGroup = (program: string, words: readonly string[]): ProcessGroup => {
  const child = spawn(program, words, { detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
  const { pid, stderr } = child;
  let said = '';
  stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-SAID_MAX);
  });
  child.once('error', (error) => {
    said += String(error);
  });
  if (pid === undefined) return { child, said: () => said, end: () => Promise.resolve() };
  const onExit = (): void => killGroup(pid);
  process.once('exit', onExit);
  const end = async (): Promise<void> => {
    process.off('exit', onExit);
    const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
    killGroup(pid);
    await Promise.race([ended, sleep(ENDED_WITHIN_MS, undefined, { ref: false })]);
    stderr.destroy();
  };
  return { child, said: () => said, end };
};
