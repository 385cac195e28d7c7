import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { StreamEnd } from '@svc/contract/tables/written/stream-ends.ts';
import type { EventView } from '@svc/domain/events/audit-events/fits-view.ts';
import { formatEventId, type StreamedBytes } from '@svc/http/wires/stream/write-frames.ts';
import { isAfter } from '@svc/postgres/audit/feed-horizon.ts';
import type { FeedPosition } from '@svc/postgres/audit/read-feed.ts';
import type { FeedStretch } from '@svc/postgres/audit/read-feed-stretch.ts';
import { encodeEvents } from './channel.ts';
import { frameEvents } from './framed.ts';
import type { Attendance, EventHub } from './open-event-hub.ts';
import type { PositionIds } from './position-ids.ts';
import type { StreamListener } from './readers.ts';

export type WatchedStream = {
  readonly view: EventView;
  readonly ids: PositionIds;
  readonly clock: () => Date;
  readonly after: FeedPosition;
  readonly readStretch: (after: FeedPosition, upTo: FeedPosition) => Promise<FeedStretch>;
  readonly ended: AbortSignal;
};

type Source = AsyncGenerator<StreamedBytes, StreamEnd | undefined>;

const idBytes = ({ ids, clock }: WatchedStream, position: FeedPosition): StreamedBytes => ({
  bytes: Buffer.from(formatEventId(ids.idOf(position, clock().getTime()))),
});

/** Yields events from a position up to the current end of the feed; returns that end. */
async function* catchUp(watched: WatchedStream, from: FeedPosition, upTo: () => FeedPosition): AsyncGenerator<StreamedBytes, FeedPosition> {
  const { ids, clock, view, ended } = watched;
  let reached = from;
  while (!ended.aborted && isAfter(upTo(), reached)) {
    const stretch = await watched.readStretch(reached, upTo());
    const framed = frameEvents(stretch.events, ids, clock().getTime());
    for (const bytes of encodeEvents(framed, view, LIMITS.streams.chunkBytesMax)) yield { bytes };
    reached = stretch.reached;
    yield idBytes(watched, reached);
  }
  return reached;
}

/** Waits for events that another process delivered before this process read them. */
const waitFor = async (position: FeedPosition, { position: here, nextLook, isReadable }: Attendance, ended: AbortSignal): Promise<void> => {
  while (isAfter(position, here()) && isReadable() && !ended.aborted) await nextLook();
};

async function* attended(attendance: Attendance, watched: WatchedStream, listen: () => StreamListener): Source {
  const { after, ended } = watched;
  await waitFor(after, attendance, ended);
  const reached = yield* catchUp(watched, after, attendance.position);
  if (ended.aborted) return undefined;
  // From here on no published event is missed; events published since are caught up with first.
  const listener = listen();
  const joinedAt = attendance.position();
  yield* catchUp(watched, reached, () => joinedAt);
  for (let bytes = await listener.next(); bytes !== undefined; bytes = await listener.next()) yield { bytes };
  return listener.hasFallenBehind() ? 'fell_behind' : 'unavailable';
}

/** Yields every event of a view after a position exactly once: first the missed ones, then live ones. */
export async function* streamEventsAfter(hub: EventHub, watched: WatchedStream): Source {
  yield idBytes(watched, watched.after);
  const attendance = await hub.attend();
  let listener: StreamListener | undefined;
  const leave = (): void => {
    listener?.end();
    attendance.leave();
  };
  watched.ended.addEventListener('abort', leave, { once: true });
  try {
    return yield* attended(attendance, watched, () => {
      listener = attendance.listen(watched.view);
      return listener;
    });
  } finally {
    leave();
  }
}
