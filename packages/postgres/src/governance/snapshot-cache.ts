import { LRUCache } from 'lru-cache';

/** Snapshots by id (an LRU cache), each loaded once for all concurrent callers (single flight). Bounded by bytes. */
export type SnapshotCache<Snapshot> = {
  readonly get: (organizationId: string, id: string) => Snapshot | Promise<Snapshot | undefined>;
  /** Forgets this very snapshot; a newer one that was loaded meanwhile stays. */
  readonly forget: (id: string, snapshot: Snapshot) => void;
};

/** `bytesOf` estimates the size of a snapshot. */
export type SnapshotBound<Snapshot> = { readonly bytesMax: number; readonly bytesOf: (snapshot: Snapshot) => number };

export const newSnapshotCache = <Snapshot extends { readonly organization_id: string }>(
  load: (organizationId: string, id: string) => Promise<Snapshot | undefined>,
  { bytesMax, bytesOf }: SnapshotBound<Snapshot>,
): SnapshotCache<Snapshot> => {
  const loaded = new LRUCache<string, Snapshot>({
    maxSize: bytesMax,
    // The newest stays, however large: otherwise it would be loaded at every decision.
    sizeCalculation: (snapshot) => Math.min(bytesMax, Math.max(1, Math.ceil(bytesOf(snapshot)))),
  });
  const loading = new Map<string, Promise<Snapshot | undefined>>();

  const start = (organizationId: string, id: string): Promise<Snapshot | undefined> => {
    const key = `${organizationId}/${id}`;
    const running = loading.get(key);
    if (running !== undefined) return running;
    const begun = load(organizationId, id)
      .then((snapshot) => {
        if (snapshot) loaded.set(id, snapshot);
        return snapshot;
      })
      .finally(() => loading.delete(key));
    loading.set(key, begun);
    return begun;
  };

  return {
    get: (organizationId, id) => {
      const snapshot = loaded.get(id);
      return snapshot?.organization_id === organizationId ? snapshot : start(organizationId, id);
    },
    forget: (id, snapshot) => {
      if (loaded.peek(id) === snapshot) loaded.delete(id);
    },
  };
};
