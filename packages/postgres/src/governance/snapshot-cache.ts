/** Snapshots by id, each loaded once however many ask for it at the same time. Bounded by bytes; those longest unused go first. */
export type SnapshotCache<Snapshot> = {
  readonly get: (organizationId: string, id: string) => Snapshot | Promise<Snapshot | undefined>;
  /** Forgets this very snapshot; a newer one that was loaded meanwhile stays. */
  readonly forget: (id: string, snapshot: Snapshot) => void;
};

/** `bytesOf` says about what a snapshot holds. */
export type SnapshotBound<Snapshot> = { readonly bytesMax: number; readonly bytesOf: (snapshot: Snapshot) => number };

type Entry<Snapshot> = { readonly snapshot: Snapshot; readonly bytes: number; used: number };

const KEPT_SHARE = 0.9;

export const newSnapshotCache = <Snapshot extends { readonly organization_id: string }>(
  load: (organizationId: string, id: string) => Promise<Snapshot | undefined>,
  { bytesMax, bytesOf }: SnapshotBound<Snapshot>,
): SnapshotCache<Snapshot> => {
  const loaded = new Map<string, Entry<Snapshot>>();
  let held = 0;
  let uses = 0;
  const loading = new Map<string, Promise<Snapshot | undefined>>();

  const drop = (id: string): void => {
    held -= loaded.get(id)?.bytes ?? 0;
    loaded.delete(id);
  };

  /** Makes more room than is needed now, so that not every load looks at all that is kept. */
  const makeRoom = (): void => {
    const longestUnused = [...loaded].toSorted(([, one], [, other]) => one.used - other.used);
    for (const [id] of longestUnused) {
      if (held <= bytesMax * KEPT_SHARE) return;
      drop(id);
    }
  };

  const keep = (id: string, snapshot: Snapshot): void => {
    drop(id);
    const bytes = bytesOf(snapshot);
    uses += 1;
    loaded.set(id, { snapshot, bytes, used: uses });
    held += bytes;
    // The newest stays, however large: whoever asks for it would load it at every decision otherwise.
    if (held > bytesMax && loaded.size > 1) makeRoom();
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
      const entry = loaded.get(id);
      if (entry === undefined || entry.snapshot.organization_id !== organizationId) return start(organizationId, id);
      uses += 1;
      entry.used = uses;
      return entry.snapshot;
    },
    forget: (id, snapshot) => {
      if (loaded.get(id)?.snapshot === snapshot) drop(id);
    },
  };
};
