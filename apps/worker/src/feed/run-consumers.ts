import { setTimeout as sleep } from 'node:timers/promises';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { orRefusal } from '@svc/http/answers/error-to-wire.ts';
import { beginFeed, putOffFeed, stepFeed } from '@svc/postgres/audit/feed-positions.ts';
import { type FeedPosition, readFeed } from '@svc/postgres/audit/read-feed.ts';
import { readOldestAfter } from '@svc/postgres/audit/read-oldest-after.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import type { Logger } from 'pino';
import type { FeedConsumer } from './consumer.ts';
import type { FeedMeter } from './feed-meter.ts';

export type FeedDeps = { readonly database: Database; readonly log: Logger; readonly meter: FeedMeter };

export type RunningConsumers = {
  /** Begins nothing more and resolves when what is under way has ended. */
  readonly stop: () => Promise<void>;
};

/** Whether there is anything behind a position: asked before the position is held, which takes a transaction's id. */
const hasMore = async ({ database, meter }: FeedDeps, consumer: string, after: FeedPosition): Promise<boolean> => {
  const [next] = await readFeed(database, { after, limit: 1 });
  const oldest = next?.event.occurred_at ?? (await readOldestAfter(database, after));
  meter.standsAt(consumer, oldest === undefined ? undefined : Date.parse(oldest));
  return next !== undefined;
};

/** Tells that a consumer broke off, and keeps every process from trying it again at once; that this fails too, says the database by itself. */
const putOff = async ({ database, log, meter }: FeedDeps, consumer: string, error: unknown): Promise<void> => {
  meter.failed(consumer);
  log.error({ consumer, err: error }, 'a consumer of the feed broke off and is tried again');
  await Promise.allSettled([putOffFeed(database, consumer)]);
};

const runConsumer = async (deps: FeedDeps, consumer: FeedConsumer, signal: AbortSignal): Promise<void> => {
  const { name } = consumer;
  /** Where the consumer stood when this process last looked; another may have brought it further. */
  let stood: FeedPosition | undefined;
  const step = async (): Promise<boolean> => {
    stood ??= await beginFeed(deps.database, name, consumer.begins);
    if (!(await hasMore(deps, name, stood))) return false;
    const taken = await stepFeed(deps.database, { consumer: name, take: consumer.take });
    if (taken === undefined) return false;
    stood = taken.position;
    deps.meter.took(name, taken.count);
    return taken.count > 0;
  };
  while (!signal.aborted) {
    let broke: unknown;
    const isBusy = await orRefusal(step, (error) => {
      broke = error;
    });
    if (isRefusal(isBusy)) await putOff(deps, name, broke);
    if (isBusy !== true) await Promise.allSettled([sleep(LIMITS.feed.lookEveryMs, undefined, { signal })]);
  }
};

/** Runs each consumer by itself, so that one that breaks off or is slow holds up no other. Any number of processes may do so at once. */
export const runConsumers = (deps: FeedDeps, consumers: readonly FeedConsumer[]): RunningConsumers => {
  const stopping = new AbortController();
  const running = consumers.map((consumer) => runConsumer(deps, consumer, stopping.signal));
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(running);
    },
  };
};
