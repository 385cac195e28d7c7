import { setTimeout as sleep } from 'node:timers/promises';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { runOrRefuse } from '@svc/http/answers/error-to-wire.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { fanOut } from '@svc/postgres/events/webhooks/fan-out.ts';
import { stepStretch } from '@svc/postgres/events/webhooks/stretches.ts';
import { newId } from '@svc/program/ids/new-id.ts';
import type { Logger } from 'pino';

const { lookEveryMs } = LIMITS.webhooks;

/**
 * Creates deliveries for organizations that had many events at once: one bounded step per organization, in rotation. It rests for the time
 * of each step, so that it uses at most half of a connection.
 */
export const serveSegments = ({ reader, log }: { readonly reader: Database; readonly log: Logger }) => {
  const stopping = new AbortController();
  const { signal } = stopping;
  const step = (): Promise<boolean> =>
    stepStretch(reader, async (tx, events) => {
      await fanOut(
        tx,
        events.map(({ event }) => event),
        () => newId('webhook_delivery'),
      );
    });
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      const begun = performance.now();
      const went = await runOrRefuse(step, (err) => log.error({ err }, 'creating webhook deliveries failed and will be retried'));
      const isBusy = !isRefusal(went) && went;
      await Promise.allSettled([sleep(isBusy ? performance.now() - begun : lookEveryMs, undefined, { signal })]);
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
