import { type ChildProcess, fork } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import { setPriority } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where this process keeps what it compiled; the folder given to Node is the one above. */
const compiled = getCompileCacheDir();

/** Decisions come first: where processors are short, such a process has a third of what one of the service has. */
const NICENESS = 5;

const yieldTo = (child: ChildProcess): void => {
  try {
    if (child.pid !== undefined) setPriority(child.pid, NICENESS);
  } catch (error) {
    // It ended already, or the system does not let processes yield: then it runs as any other.
    if ((error as { readonly code?: unknown }).code !== 'ERR_SYSTEM_ERROR') throw error;
  }
};

/**
 * Runs a file as a process of its own [a worker process], for work that may want more time or memory than there is. A thread that runs out of memory can end the
 * whole process it belongs to; a process ends alone. It is given none of this process's settings, so no secret, and ends with it.
 */
export const startAside = (file: URL, memoryMb: number): ChildProcess => {
  const child = fork(fileURLToPath(file), [], {
    execArgv: [`--max-old-space-size=${memoryMb}`],
    env: compiled === undefined ? {} : { NODE_COMPILE_CACHE: path.dirname(compiled) },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  yieldTo(child);
  return child;
};

/** A process that waits for a question keeps no other alive. Last after adding listeners, since one to messages holds it again. */
export const letRest = (child: ChildProcess): void => {
  child.unref();
  child.channel?.unref();
};

export const letWork = (child: ChildProcess): void => {
  child.ref();
  child.channel?.ref();
};
