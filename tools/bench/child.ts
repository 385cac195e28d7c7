import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import type { CleanupSteps } from './service.ts';

/** A helper process of the bench that answers one message with one message. */
export type Child = { readonly pid: number; readonly ask: (message: object) => Promise<unknown> };

const nextMessage = (child: ChildProcess): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`${child.spawnargs.at(-1)} ended with ${code}`));
    child.once('exit', ended);
    child.once('message', (message) => {
      child.off('exit', ended);
      resolve(message);
    });
  });

/** Starts the process. Bytes are sent without JSON encoding. It exits with this process for any reason. */
export const startChild = async (file: string, undo: CleanupSteps): Promise<Child> => {
  const child = fork(path.join(import.meta.dirname, file), { serialization: 'advanced' });
  undo.push(() => void child.kill());
  await nextMessage(child);
  const ask = (message: object): Promise<unknown> => {
    const answer = nextMessage(child);
    child.send(message);
    return answer;
  };
  return { pid: child.pid ?? 0, ask };
};
