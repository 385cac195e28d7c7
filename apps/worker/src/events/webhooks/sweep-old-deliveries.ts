import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { runOrRefuse } from '@svc/http/answers/error-to-wire.ts';
import { sweepBeyond, sweepDeliveries } from '@svc/postgres/events/webhooks/sweep-deliveries.ts';
import { getMinIdForTime } from '@svc/program/ids/first-id-since.ts';
import { failCrowded } from './fail-crowded.ts';
import type { SettleDeps } from './sending/settle-ended.ts';
import { skipStale } from './skip-stale.ts';

const EVERY_MS = 15_000;

/**
 * Deletes results of deliveries after their retention or beyond their maximum number, and fails excess queued ones: one bounded step at a
 * time.
 */
export const sweepOldDeliveries = (deps: SettleDeps) => {
  const stopping = new AbortController();
  const { signal } = stopping;
  const step = async (): Promise<boolean> => {
    const before = new Date(deps.clock().getTime() - LIMITS.webhooks.keptSeconds * 1_000);
    const hasOld = await sweepDeliveries(deps.reader, getMinIdForTime('webhook_delivery', before));
    const hasMany = await sweepBeyond(deps.reader, LIMITS.webhooks.keptMax);
    await skipStale(deps);
    return (await failCrowded(deps)) || hasOld || hasMany;
  };
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      const hasMore = await runOrRefuse(step, (err) => {
        deps.log.error({ err }, 'deleting old webhook deliveries failed and will be retried');
      });
      if (hasMore !== true) await Promise.allSettled([sleep(EVERY_MS, undefined, { signal })]);
    }
  };
  const running = run();
  return {
    stop: async (): Promise<void> => {
      stopping.abort();
      await running;
    },
  };
};
