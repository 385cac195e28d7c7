/** Snapshots by id, each loaded once however many ask for it at the same time. Bounded; the one longest unused goes first. */
export type SnapshotCache<Snapshot> = {
  readonly get: (organizationId: string, id: string) => Snapshot | Promise<Snapshot | undefined>;
  /** Forgets this very snapshot; a newer one that was loaded meanwhile stays. */
  readonly forget: (id: string, snapshot: Snapshot) => void;
};

export const newSnapshotCache = <Snapshot extends { readonly organization_id: string }>(
  load: (organizationId: string, id: string) => Promise<Snapshot | undefined>,
  sizeMax: number,
): SnapshotCache<Snapshot> => {
  const loaded = new Map<string, Snapshot>();
  const loading = new Map<string, Promise<Snapshot | undefined>>();

  const keep = (id: string, snapshot: Snapshot): void => {
    loaded.set(id, snapshot);
    if (loaded.size <= sizeMax) return;
    const [oldest] = loaded.keys();
    if (oldest !== undefined) loaded.delete(oldest);
  };

  const start = (organizationId: string, id: string): Promise<Snapshot | undefined> => {
    const key = `${organizationId}/${id}`;
    const running = loading.get(key);
    if (running !== undefined) return running;
    const begun = load(organizationId, id)
      .then((snapshot) => {
        if (snapshot) keep(id, snapshot);
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
      if (loaded.get(id) === snapshot) loaded.delete(id);
    },
  };
};
