import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { EventView } from '@svc/domain/events/audit-events/fits-view.ts';
import { type FeedHorizon, readFeedHorizon } from '@svc/postgres/audit/feed-horizon.ts';
import { FEED_START, type FeedPosition, readFeed } from '@svc/postgres/audit/read-feed.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import type { Logger } from 'pino';
import type { Listener } from './channel.ts';
import { type HubBounds, newChannels } from './channels.ts';
import { frameEvents } from './framed.ts';
import type { PositionIds } from './position-ids.ts';

export type EventHubDeps = {
  /** Sees the events of all organizations. */
  readonly reader: Database;
  readonly ids: PositionIds;
  readonly log: Logger;
  readonly clock: () => Date;
  readonly bounds?: HubBounds;
};

/** Somebody who keeps the feed being read. */
export type Attendance = {
  /** Everything up to here was handed to those who listen. */
  readonly position: () => FeedPosition;
  /** Resolves after the next look at the feed. */
  readonly nextLook: () => Promise<void>;
  readonly isReadable: () => boolean;
  /** From the position of this moment on. */
  readonly listen: (view: EventView) => Listener;
  readonly leave: () => void;
};

/** The one reader of the feed of a process, for all who watch it. It reads while there is somebody. */
export type EventHub = {
  readonly horizon: () => Promise<FeedHorizon>;
  /** Rejects where the database does not answer. */
  readonly attend: () => Promise<Attendance>;
  /** Ends everybody who listens, and resolves when nothing is read any more. */
  readonly close: () => Promise<void>;
};

const WAIT_AFTER_FAULT_MS = 500;
/** So many at once, and there may well be more already. */
const MANY = LIMITS.audit.feedEventsMax / 4;

type State = {
  attendants: number;
  position: FeedPosition | undefined;
  /** By the monotonic clock; undefined while it can be read. */
  failsSinceMs: number | undefined;
  isReadable: boolean;
  look: PromiseWithResolvers<void>;
  running: Promise<void> | undefined;
  isClosed: boolean;
};

/** Looks at the feed again and again while somebody is there, at once where there was more than one look shows. */
const readOn = async (state: State, channels: ReturnType<typeof newChannels>, deps: Required<EventHubDeps>): Promise<void> => {
  const { reader, ids, log, clock, bounds } = deps;
  while (state.attendants > 0 && !state.isClosed && state.position !== undefined) {
    let waitMs = bounds.pollMs;
    try {
      const events = await readFeed(reader, { after: state.position, limit: LIMITS.audit.feedEventsMax });
      state.failsSinceMs = undefined;
      state.position = events.at(-1)?.position ?? state.position;
      if (events.length > 0) channels.publish(frameEvents(events, ids, clock().getTime()));
      if (events.length >= MANY) waitMs = 0;
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

export const openEventHub = (given: EventHubDeps): EventHub => {
  const deps = { bounds: LIMITS.streams, ...given };
  const channels = newChannels(deps.bounds);
  const state: State = {
    ...{ attendants: 0, position: undefined, failsSinceMs: undefined, isReadable: true, running: undefined, isClosed: false },
    look: Promise.withResolvers(),
  };
  let beginning: Promise<void> | undefined;
  const begin = async (): Promise<void> => {
    await state.running;
    const { settled } = await readFeedHorizon(deps.reader);
    Object.assign(state, { position: settled, failsSinceMs: undefined, isReadable: true });
    state.running = readOn(state, channels, deps);
  };
  const leaveOnce = (): (() => void) => {
    let isHere = true;
    return () => {
      if (isHere) state.attendants -= 1;
      isHere = false;
    };
  };
  return {
    horizon: () => readFeedHorizon(deps.reader),
    attend: async () => {
      state.attendants += 1;
      const leave = leaveOnce();
      try {
        while (state.position === undefined) {
          beginning ??= begin().finally(() => {
            beginning = undefined;
          });
          await beginning;
        }
      } catch (error) {
        leave();
        throw error;
      }
      return {
        position: () => state.position ?? FEED_START,
        nextLook: () => state.look.promise,
        isReadable: () => state.isReadable,
        listen: channels.listen,
        leave,
      };
    },
    close: async () => {
      state.isClosed = true;
      channels.endAll();
      await state.running;
    },
  };
};
