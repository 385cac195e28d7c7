import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { EventView } from '@svc/domain/events/audit-events/fits-view.ts';
import { type FeedHorizon, readFeedHorizon } from '@svc/postgres/audit/feed-horizon.ts';
import { FEED_START, type FeedPosition } from '@svc/postgres/audit/read-feed.ts';
import { newChannels } from './channels.ts';
import { type EventHubDeps, type FeedReading, pollFeed } from './read-on.ts';
import type { StreamListener } from './readers.ts';

/** Registration of a listener, which keeps the feed being read. */
export type Attendance = {
  /** Position up to which events were delivered to listeners. */
  readonly position: () => FeedPosition;
  /** Resolves after the next read of the feed. */
  readonly nextLook: () => Promise<void>;
  readonly isReadable: () => boolean;
  /** Listens from the current position on. */
  readonly listen: (view: EventView) => StreamListener;
  readonly leave: () => void;
};

/** The single reader of the feed in a process, for all listeners. It reads while there is one. */
export type EventHub = {
  readonly horizon: () => Promise<FeedHorizon>;
  /** Rejects if the database does not respond. */
  readonly attend: () => Promise<Attendance>;
  /** Ends all listeners; resolves when nothing is read any more. */
  readonly close: () => Promise<void>;
};

/** Adds a listener; returns a function that removes it, once. */
const enter = (state: FeedReading): (() => void) => {
  state.attendants += 1;
  let isHere = true;
  return () => {
    if (isHere) state.attendants -= 1;
    isHere = false;
  };
};

export const openEventHub = (given: EventHubDeps): EventHub => {
  const deps = { bounds: LIMITS.streams, ...given };
  const channels = newChannels(deps.bounds);
  const state: FeedReading = {
    ...{ attendants: 0, position: undefined, failsSinceMs: undefined, isReadable: true, running: undefined, isClosed: false },
    look: Promise.withResolvers(),
  };
  let beginning: Promise<void> | undefined;
  const begin = async (): Promise<void> => {
    await state.running;
    const { settled } = await readFeedHorizon(deps.reader);
    Object.assign(state, { position: settled, failsSinceMs: undefined, isReadable: true });
    state.running = pollFeed(state, channels, deps);
  };
  return {
    horizon: () => readFeedHorizon(deps.reader),
    attend: async () => {
      const leave = enter(state);
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
