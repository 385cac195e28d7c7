import { type ChildProcess, fork } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import { setPriority } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder of this process's compile cache; the folder given to Node is its parent. */
const compiled = getCompileCacheDir();

/** Decisions have priority: when processors are short, such a process gets a third of the share of a service process. */
const NICENESS = 5;

const yieldTo = (child: ChildProcess): void => {
  try {
    if (child.pid !== undefined) setPriority(child.pid, NICENESS);
  } catch (error) {
    // It already ended, or the system does not allow a lower priority: it runs with the normal one.
    if ((error as { readonly code?: unknown }).code !== 'ERR_SYSTEM_ERROR') throw error;
  }
};

/**
 * Starts a file as a worker process (without a worker pool: one process for each kind of work), for work that may use more time or memory
 * than is available. A thread that runs out of memory can end its whole process; a worker process ends alone. It gets none of this
 * process's settings, so no secret, and ends with it.
 */
export const startWorkerProcess = (file: URL, memoryMb: number): ChildProcess => {
  const child = fork(fileURLToPath(file), [], {
    execArgv: [`--max-old-space-size=${memoryMb}`],
    env: compiled === undefined ? {} : { NODE_COMPILE_CACHE: path.dirname(compiled) },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  yieldTo(child);
  return child;
};

/**
 * Lets this process exit while the worker is idle. Call it after adding listeners, since a listener for messages references the worker
 * again.
 */
export const unrefChild = (child: ChildProcess): void => {
  child.unref();
  child.channel?.unref();
};

export const letWork = (child: ChildProcess): void => {
  child.ref();
  child.channel?.ref();
};
