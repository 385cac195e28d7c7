import { mkdir, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Interval at which the holder refreshes the lock; an older lock counts as abandoned. */
const SHOWN_EACH_MS = 500;
const LOCK_ENDS_MS = 5_000;
const LOOK_AGAIN_MS = 100;

const isTaken = (reason: unknown): boolean => (reason as { readonly code?: unknown }).code === 'EEXIST';

/**
 * Runs work once among concurrent processes: the others wait for it. A lock that outlived its process, for example after Ctrl-C, soon
 * expires. Rejects if a lock cannot be created.
 */
export const runExclusively = async (lock: string, work: () => Promise<void>): Promise<void> => {
  await mkdir(path.dirname(lock), { recursive: true });
  for (;;) {
    const [taken] = await Promise.allSettled([mkdir(lock)]);
    if (taken.status === 'fulfilled') break;
    if (!isTaken(taken.reason)) throw taken.reason;
    const [known] = await Promise.allSettled([stat(lock)]);
    if (known.status === 'fulfilled' && Date.now() - known.value.mtimeMs > LOCK_ENDS_MS) await rm(lock, { recursive: true, force: true });
    else await sleep(LOOK_AGAIN_MS);
  }
  const showing = setInterval(() => void Promise.allSettled([utimes(lock, new Date(), new Date())]), SHOWN_EACH_MS);
  try {
    await work();
  } finally {
    clearInterval(showing);
    await rm(lock, { recursive: true, force: true });
  }
};
