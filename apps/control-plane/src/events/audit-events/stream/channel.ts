import { type EventView, fitsView } from '@svc/domain/events/audit-events/fits-view.ts';
import type { Framed } from './framed.ts';

export type ChannelBounds = { readonly chunkBytesMax: number; readonly waitingBytesMax: number };

/** What was handed over in one piece; `total` bytes of the channel are there with it. */
type Chunk = { readonly bytes: Buffer; readonly total: number; next: Chunk | undefined };

/** One who reads a channel. What it has not taken yet is held for all of them once. */
export type Listener = {
  /** The next bytes; undefined once it has been ended or has fallen behind. */
  readonly next: () => Promise<Buffer | undefined>;
  readonly end: () => void;
  readonly hasFallenBehind: () => boolean;
};

type Reading = { at: Chunk | undefined; isBehind: boolean; wake: (() => void) | undefined };

export type Channel = {
  readonly publish: (events: readonly Framed[]) => void;
  readonly listen: () => Listener;
  readonly isEmpty: () => boolean;
  /** Of whoever is furthest behind. */
  readonly heldBytes: () => number;
  /** Ends whoever is furthest behind. */
  readonly dropLast: () => void;
  readonly endAll: () => void;
};

/** Texts together, in pieces that are no larger than they have to be. */
function* piecesOf(texts: Iterable<string>, bytesMax: number): Generator<Buffer> {
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

/** Events as bytes, in pieces. */
export const bytesOf = (events: readonly Framed[], view: EventView, bytesMax: number): Buffer[] => [
  ...piecesOf(
    events.filter(({ event }) => fitsView(view, event)).map(({ text }) => text()),
    bytesMax,
  ),
];

const reader = (reading: Reading, leave: () => void): Listener => ({
  next: async () => {
    while (reading.at !== undefined && reading.at.next === undefined)
      await new Promise<void>((resolve) => {
        reading.wake = resolve;
      });
    reading.at = reading.at?.next;
    return reading.at?.bytes;
  },
  end: leave,
  hasFallenBehind: () => reading.isBehind,
});

/** All who read a channel, and how one of them is let go. */
const newReaders = (waitingFor: (reading: Reading) => number) => {
  const readers = new Set<Reading>();
  const stop = (reading: Reading): void => {
    readers.delete(reading);
    reading.at = undefined;
    reading.wake?.();
  };
  return {
    readers,
    stop,
    drop: (reading: Reading): void => {
      reading.isBehind = true;
      stop(reading);
    },
    slowest: (): Reading | undefined => {
      let found: Reading | undefined;
      for (const each of readers) if (found === undefined || waitingFor(each) > waitingFor(found)) found = each;
      return found;
    },
  };
};

/**
 * What happens in one view, for all who watch it: made into bytes once, and held until the slowest has taken it. Whoever has more waiting than
 * the bound is dropped, and nothing is held for them.
 */
export const newChannel = (view: EventView, { chunkBytesMax, waitingBytesMax }: ChannelBounds): Channel => {
  let last: Chunk = { bytes: Buffer.alloc(0), total: 0, next: undefined };
  const waitingFor = ({ at }: Reading): number => last.total - (at?.total ?? last.total);
  const { readers, stop, drop, slowest } = newReaders(waitingFor);
  return {
    publish: (events) => {
      for (const bytes of bytesOf(events, view, chunkBytesMax)) {
        const chunk: Chunk = { bytes, total: last.total + bytes.length, next: undefined };
        last.next = chunk;
        last = chunk;
      }
      for (const reading of readers) {
        if (waitingFor(reading) > waitingBytesMax) drop(reading);
        else reading.wake?.();
      }
    },
    listen: () => {
      const reading: Reading = { at: last, isBehind: false, wake: undefined };
      readers.add(reading);
      return reader(reading, () => stop(reading));
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
