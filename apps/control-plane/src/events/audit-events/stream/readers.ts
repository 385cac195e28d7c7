/** One chunk of a channel; `total` is the number of bytes in the channel with it. */
export type StreamChunk = { readonly bytes: Buffer; readonly total: number; next: StreamChunk | undefined };

/** A reader of a channel. Chunks that readers have not taken are held once for all of them. */
export type StreamListener = {
  /** Returns the next bytes; undefined once it has ended or has fallen behind. */
  readonly next: () => Promise<Buffer | undefined>;
  readonly end: () => void;
  readonly hasFallenBehind: () => boolean;
};

/** Progress of one reader; `at` is the last chunk it took, undefined once it has left. */
export type ReaderProgress = { at: StreamChunk | undefined; isBehind: boolean; wake: (() => void) | undefined };

/** Returns `reading` as the interface of its reader. */
export const toListener = (reading: ReaderProgress, leave: () => void): StreamListener => ({
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

/** Creates the set of readers of a channel, and drops them. */
export const newReaders = (waitingFor: (reading: ReaderProgress) => number) => {
  const readers = new Set<ReaderProgress>();
  const stop = (reading: ReaderProgress): void => {
    readers.delete(reading);
    reading.at = undefined;
    reading.wake?.();
  };
  return {
    readers,
    stop,
    drop: (reading: ReaderProgress): void => {
      reading.isBehind = true;
      stop(reading);
    },
    slowest: (): ReaderProgress | undefined => {
      let found: ReaderProgress | undefined;
      for (const each of readers) if (found === undefined || waitingFor(each) > waitingFor(found)) found = each;
      return found;
    },
  };
};
