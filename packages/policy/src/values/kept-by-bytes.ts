/** Values by key, bounded by their total size [an LRU cache]; the least recently used is evicted first. */
export type KeptByBytes<Value> = {
  readonly get: (key: string) => Value | undefined;
  readonly keep: (key: string, value: Value, bytes: number) => void;
  readonly drop: (key: string) => void;
};

export const newKeptByBytes = <Value>(bytesMax: number): KeptByBytes<Value> => {
  const kept = new Map<string, { readonly value: Value; readonly bytes: number }>();
  let held = 0;
  const drop = (key: string): void => {
    held -= kept.get(key)?.bytes ?? 0;
    kept.delete(key);
  };
  return {
    get: (key) => {
      const found = kept.get(key);
      if (found === undefined) return undefined;
      kept.delete(key);
      kept.set(key, found);
      return found.value;
    },
    keep: (key, value, bytes) => {
      drop(key);
      if (bytes > bytesMax) return;
      kept.set(key, { value, bytes });
      held += bytes;
      for (const oldest of kept.keys()) {
        if (held <= bytesMax) return;
        drop(oldest);
      }
    },
    drop,
  };
};
