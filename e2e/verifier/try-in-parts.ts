import { availableParallelism } from 'node:os';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { type Trial, tryVerifier } from './try-verifier.ts';

type Told = { readonly looked: true } | { readonly wrong: readonly string[] };

const tryPart = (trial: Trial, looked: () => void): Promise<readonly string[]> =>
  new Promise((resolve, reject) => {
    const thread = new Worker(new URL(import.meta.url), { workerData: trial });
    thread.on('message', (told: Told) => ('wrong' in told ? resolve(told.wrong) : looked()));
    thread.once('error', reject);
    thread.once('exit', () => reject(new Error('a part of the trial ended without a result')));
  });

/** Runs `tryVerifier` on a thread for each core; `looked` receives the number of logs examined so far. */
export const tryInParts = async (trial: Omit<Trial, 'part'>, looked: (count: number) => void): Promise<readonly string[]> => {
  let count = 0;
  const of = availableParallelism();
  const parts = Array.from({ length: of }, (_, at) => tryPart({ ...trial, part: { at, of } }, () => looked(++count)));
  return (await Promise.all(parts)).flat();
};

if (!isMainThread) {
  const tell = (told: Told): void => parentPort?.postMessage(told);
  tell({ wrong: await tryVerifier(workerData as Trial, () => tell({ looked: true })) });
}
