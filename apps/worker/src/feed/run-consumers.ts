import { setTimeout as sleep } from 'node:timers/promises';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { runOrRefuse } from '@svc/http/answers/error-to-wire.ts';
import { isAfter, readFeedHorizon } from '@svc/postgres/audit/feed-horizon.ts';
import { beginFeed, type FeedStep, putOffFeed, stepFeed } from '@svc/postgres/audit/feed-positions.ts';
import { type FeedWindow, leavesOfInterest, leavesThrough, newFeedWindow, readThrough } from '@svc/postgres/audit/feed-window.ts';
import { keepAuthentic } from '@svc/postgres/audit/keep-authentic.ts';
import type { FeedPosition, FeedRow } from '@svc/postgres/audit/read-feed.ts';
import { readOldestAfter } from '@svc/postgres/audit/read-oldest-after.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { timeOfId } from '@svc/program/ids/time-of-id.ts';
import type { Logger } from 'pino';
import type { FeedConsumer } from './consumer.ts';
import type { FeedMeter } from './feed-meter.ts';

export type FeedDeps = { readonly database: Database; readonly log: Logger; readonly meter: FeedMeter };
type Deps = FeedDeps & { readonly window: FeedWindow };

export type RunningConsumers = {
  /** Starts nothing more and resolves when running work has ended. */
  readonly stop: () => Promise<void>;
};

/** Reports the age of the oldest event that a consumer has not taken, whether or not the feed returns it yet. */
const tellOldest = async ({ database, meter }: Deps, consumer: string, after: FeedPosition): Promise<void> => {
  meter.standsAt(consumer, await readOldestAfter(database, consumer, after));
};

/**
 * Records that a consumer failed, and the age of its next event, and delays its next attempt in every process; a failure to do so is
 * visible from the database itself.
 */
const putOff = async (deps: Deps, { name: consumer, begins }: FeedConsumer, error: unknown): Promise<void> => {
  const { database, log, meter, window } = deps;
  meter.failed(consumer);
  window.forget();
  log.error({ consumer, err: error }, 'a feed consumer failed and will be retried');
  const tell = async () => {
    await putOffFeed(database, consumer);
    await tellOldest(deps, consumer, await beginFeed(database, consumer, begins));
  };
  await Promise.allSettled([tell()]);
};

/**
 * Progress of a consumer in this process: no relevant event is before `from`, which was last stored at `keptAt`, and the stored position is
 * `kept`.
 */
type Stand = { from: FeedPosition | undefined; keptAt: number; kept?: FeedPosition | undefined; isBroken: boolean };

/** Skips irrelevant events without a transaction; returns whether there may be more, and undefined if there is something to take. */
const passOver = async (deps: Deps, { name, interest }: FeedConsumer, stand: Stand) => {
  const page = interest && stand.from && (await deps.window.leavesAfter(deps.database, name, stand.from, LIMITS.feed.readAtOnceMax));
  if (!interest || !page || (await leavesOfInterest(deps.database, page.events, interest)).length > 0) return undefined;
  stand.from = page.reached;
  if (!page.isFull) await tellOldest(deps, name, page.reached);
  return page.isFull;
};

type LookBack = NonNullable<FeedConsumer['lookBack']>;

/**
 * A position without settled transactions, such as one of another server, would skip everything until then: it is reset to the current end
 * of the feed.
 */
const backToSettled =
  (log: Logger, consumer: string): LookBack =>
  async (tx, held) => {
    const { settled } = await readFeedHorizon(tx);
    if (!isAfter(held, settled)) return held;
    log.error({ consumer, position: held, put_back_to: settled }, 'a feed position was ahead of all events: it was reset');
    return settled;
  };

/** Looks back only from a position that this process did not store. */
const lookingBack =
  ({ log }: Deps, { name, lookBack = backToSettled(log, name) }: FeedConsumer, { kept }: Stand): FeedStep['lookBack'] =>
  async (tx, held) =>
    kept !== undefined && !isAfter(held, kept) && !isAfter(kept, held) ? held : await lookBack(tx, held, kept);

/** Omits events of one organization, so that all others are taken; logs and counts it for the operator. */
const leavingOut =
  ({ log, meter }: Deps, { name, leaveOut }: FeedConsumer): NonNullable<FeedStep['leaveOut']> =>
  async (tx, left) => {
    const { organizationId, count, error } = left;
    log.error(
      { consumer: name, organization_id: organizationId, count, err: error },
      'the database refused the result of a feed consumer for one organization: its events are skipped',
    );
    meter.leftOut(name, count);
    await leaveOut?.(tx, left);
  };

/** Runs one step of a consumer; returns whether there may be more. */
const takeStep = async (deps: Deps, consumer: FeedConsumer, stand: Stand): Promise<boolean> => {
  const { name, begins, interest, most } = consumer;
  const keeps = interest !== undefined && performance.now() - stand.keptAt > LIMITS.feed.keepEveryMs;
  const passed = keeps ? undefined : await passOver(deps, consumer, stand);
  if (passed !== undefined) return passed;
  const step = <Item extends FeedRow>({ read, take }: Pick<FeedStep<Item>, 'read' | 'take'>) =>
    stepFeed<Item>(deps.database, {
      consumer: name,
      interest,
      from: stand.from,
      keeps,
      most,
      read,
      lookBack: lookingBack(deps, consumer, stand),
      take: async (tx, events) => {
        // After a failure it is already reported since when.
        if (!stand.isBroken) deps.meter.standsAt(name, timeOfId(events[0]?.position.id ?? ''));
        await take(tx, events);
      },
      leaveOut: leavingOut(deps, consumer),
    });
  const taken = await (consumer.reads === 'leaves'
    ? step({ read: leavesThrough(deps.window, name), take: consumer.take })
    : step({
        read: readThrough(deps.window, name),
        take: async (tx, events) => {
          const authentic = await keepAuthentic(tx, events);
          if (authentic.length > 0) await consumer.take(tx, authentic);
        },
      }));
  if (taken === undefined) {
    stand.from = undefined;
    deps.window.leave(name);
    await tellOldest(deps, name, await beginFeed(deps.database, name, begins));
    return false;
  }
  if (keeps || taken.count > 0) stand.keptAt = performance.now();
  stand.from = interest && taken.position;
  stand.kept = taken.kept;
  stand.isBroken = false;
  if (taken.isPutBack) deps.meter.putBack(name);
  deps.meter.took(name, taken.count);
  if (!taken.isFull) await tellOldest(deps, name, taken.position);
  return taken.isFull;
};

const runConsumer = async (deps: Deps, consumer: FeedConsumer, signal: AbortSignal): Promise<void> => {
  const { name, begins, lookEveryMs = LIMITS.feed.lookEveryMs } = consumer;
  const stand: Stand = { from: undefined, keptAt: performance.now(), isBroken: false };
  let hasBegun = false;
  const step = async (): Promise<boolean> => {
    if (!hasBegun) await beginFeed(deps.database, name, begins);
    hasBegun = true;
    return await takeStep(deps, consumer, stand);
  };
  while (!signal.aborted) {
    let broke: unknown;
    const begunAt = performance.now();
    const isBusy = await runOrRefuse(step, (error) => {
      broke = error;
    });
    if (isRefusal(isBusy)) {
      // Another database may respond from now on, with another history.
      stand.from = undefined;
      stand.kept = undefined;
      stand.isBroken = true;
      await putOff(deps, consumer, broke);
    }
    // A busy machine makes a step longer, and so the rest after it.
    const restMs = isBusy === true ? LIMITS.feed.restsCount * (performance.now() - begunAt) : lookEveryMs;
    await Promise.allSettled([sleep(Math.min(restMs, LIMITS.feed.restMsMax), undefined, { signal })]);
  }
};

/** Runs each consumer separately, so that a failing or slow one delays no other. Any number of processes may run it. */
export const runConsumers = (deps: FeedDeps, consumers: readonly FeedConsumer[]): RunningConsumers => {
  const stopping = new AbortController();
  const window = newFeedWindow();
  const running = consumers.map((consumer) => runConsumer({ ...deps, window }, consumer, stopping.signal));
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(running);
    },
  };
};
