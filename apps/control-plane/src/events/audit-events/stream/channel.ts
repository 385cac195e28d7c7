import { type EventView, fitsView } from '@svc/domain/events/audit-events/fits-view.ts';
import type { Framed } from './framed.ts';
import { newReaders, type ReaderProgress, type StreamChunk, type StreamListener, toListener } from './readers.ts';

export type ChannelBounds = { readonly chunkBytesMax: number; readonly waitingBytesMax: number };

export type StreamChannel = {
  readonly publish: (events: readonly Framed[]) => void;
  readonly listen: () => StreamListener;
  readonly isEmpty: () => boolean;
  /** Bytes held for the slowest listener. */
  readonly heldBytes: () => number;
  /** Ends the slowest listener. */
  readonly dropLast: () => void;
  readonly endAll: () => void;
};

/** Joins texts into chunks of bounded size. */
function* getPieces(texts: Iterable<string>, bytesMax: number): Generator<Buffer> {
  let gathered = '';
  for (const text of texts) {
    if (gathered.length > 0 && gathered.length + text.length > bytesMax) {
      yield Buffer.from(gathered, 'utf8');
      gathered = '';
    }
    gathered += text;
  }
  if (gathered.length > 0) yield Buffer.from(gathered, 'utf8');
}

/** Encodes events as bytes, in chunks. */
export const encodeEvents = (events: readonly Framed[], view: EventView, bytesMax: number): Buffer[] => [
  ...getPieces(
    events.filter(({ event }) => fitsView(view, event)).map(({ text }) => text()),
    bytesMax,
  ),
];

/**
 * Creates the channel of one view for all its listeners: events are encoded once and held until the slowest listener has taken them. A
 * listener whose backlog exceeds the bound is dropped, and nothing is held for it.
 */
export const newChannel = (view: EventView, { chunkBytesMax, waitingBytesMax }: ChannelBounds): StreamChannel => {
  let last: StreamChunk = { bytes: Buffer.alloc(0), total: 0, next: undefined };
  const waitingFor = ({ at }: ReaderProgress): number => last.total - (at?.total ?? last.total);
  const { readers, stop, drop, slowest } = newReaders(waitingFor);
  return {
    publish: (events) => {
      for (const bytes of encodeEvents(events, view, chunkBytesMax)) {
        const chunk: StreamChunk = { bytes, total: last.total + bytes.length, next: undefined };
        last.next = chunk;
        last = chunk;
      }
      for (const reading of readers) {
        if (waitingFor(reading) > waitingBytesMax) drop(reading);
        else reading.wake?.();
      }
    },
    listen: () => {
      const reading: ReaderProgress = { at: last, isBehind: false, wake: undefined };
      readers.add(reading);
      return toListener(reading, () => stop(reading));
    },
    isEmpty: () => readers.size === 0,
    heldBytes: () => {
      const found = slowest();
      return found === undefined ? 0 : waitingFor(found);
    },
    dropLast: () => {
      const found = slowest();
      if (found) drop(found);
    },
    endAll: () => {
      for (const reading of [...readers]) stop(reading);
    },
  };
};
