/** What was handed over in one piece; `total` bytes of the channel are there with it. */
export type Chunk = { readonly bytes: Buffer; readonly total: number; next: Chunk | undefined };

/** One who reads a channel. What it has not taken yet is held for all of them once. */
export type Listener = {
  /** The next bytes; undefined once it has been ended or has fallen behind. */
  readonly next: () => Promise<Buffer | undefined>;
  readonly end: () => void;
  readonly hasFallenBehind: () => boolean;
};

/** How far one reader is; `at` is the last chunk it took, and nothing once it has left. */
export type Reading = { at: Chunk | undefined; isBehind: boolean; wake: (() => void) | undefined };

/** `reading` as its reader sees it. */
export const listenerOf = (reading: Reading, leave: () => void): Listener => ({
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
export const newReaders = (waitingFor: (reading: Reading) => number) => {
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
