import { setTimeout as sleep } from 'node:timers/promises';
import { runOrRefuse } from '@svc/http/answers/error-to-wire.ts';

/** Polls immediately and then periodically until stopped; a failed poll is logged, and the next one follows on schedule. */
export const lookEvery = (
  everyMs: number,
  look: () => Promise<void>,
  onBreakage: (error: unknown) => void,
): { readonly stop: () => Promise<void> } => {
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      await runOrRefuse(look, onBreakage);
      await Promise.allSettled([sleep(everyMs, undefined, { signal })]);
    }
  };
  const running = run();
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
};
