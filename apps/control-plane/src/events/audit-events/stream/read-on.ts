import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { keepAuthentic } from '@svc/postgres/audit/keep-authentic.ts';
import { type FeedPosition, readFeed } from '@svc/postgres/audit/read-feed.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import type { Logger } from 'pino';
import type { HubBounds, newChannels } from './channels.ts';
import { frameEvents } from './framed.ts';
import type { PositionIds } from './position-ids.ts';

export type EventHubDeps = {
  /** Reads the events of all organizations. */
  readonly reader: Database;
  readonly ids: PositionIds;
  readonly log: Logger;
  readonly clock: () => Date;
  readonly bounds?: HubBounds;
};

const WAIT_AFTER_FAULT_MS = 500;
export type FeedReading = {
  attendants: number;
  position: FeedPosition | undefined;
  /** Time of the first failed read (monotonic clock); undefined while reads succeed. */
  failsSinceMs: number | undefined;
  isReadable: boolean;
  look: PromiseWithResolvers<void>;
  running: Promise<void> | undefined;
  isClosed: boolean;
};

/** Polls the feed while there are listeners, and again at once if one read did not return everything. */
export const pollFeed = async (
  state: FeedReading,
  channels: ReturnType<typeof newChannels>,
  deps: Required<EventHubDeps>,
): Promise<void> => {
  const { reader, ids, log, clock, bounds } = deps;
  while (state.attendants > 0 && !state.isClosed && state.position !== undefined) {
    let waitMs = bounds.pollMs;
    try {
      const { events, isFull } = await readFeed(reader, { after: state.position, limit: LIMITS.audit.feedEventsMax });
      state.failsSinceMs = undefined;
      const authentic = await keepAuthentic(reader, events);
      state.position = events.at(-1)?.position ?? state.position;
      if (authentic.length > 0) channels.publish(frameEvents(authentic, ids, clock().getTime()));
      if (isFull) waitMs = 0;
    } catch (error) {
      if (state.failsSinceMs === undefined) log.warn({ err: error }, 'the feed cannot be read for those who watch it, and is tried again');
      state.failsSinceMs ??= performance.now();
      waitMs = WAIT_AFTER_FAULT_MS;
    }
    state.isReadable = performance.now() - (state.failsSinceMs ?? performance.now()) < bounds.unreadableMs;
    if (!state.isReadable) channels.endAll();
    const { resolve } = state.look;
    state.look = Promise.withResolvers();
    resolve();
    await sleep(waitMs);
  }
  state.position = undefined;
  state.running = undefined;
  channels.endAll();
};
