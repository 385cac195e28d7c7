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

type Kept<Snapshot> = {
  readonly get: (id: string) => Snapshot | undefined;
  readonly keep: (id: string, snapshot: Snapshot) => void;
  readonly drop: (id: string) => void;
};

/** A use is noted by a number and not by a place in a list, since every decision is one. */
const newKept = <Snapshot>({ bytesMax, bytesOf }: SnapshotBound<Snapshot>): Kept<Snapshot> => {
  const loaded = new Map<string, Entry<Snapshot>>();
  let held = 0;
  let uses = 0;

  const drop = (id: string): void => {
    held -= loaded.get(id)?.bytes ?? 0;
    loaded.delete(id);
  };

  /** Makes more room than is needed now, so that not every load looks at all that is kept. */
  const makeRoom = (): void => {
    const longestUnused = [...loaded].toSorted(([, one], [, other]) => one.used - other.used);
    // The newest stays, however large: whoever asks for it would load it at every decision otherwise.
    for (const [id] of longestUnused.slice(0, -1)) {
      if (held <= bytesMax * KEPT_SHARE) return;
      drop(id);
    }
  };

  return {
    drop,
    get: (id) => {
      const entry = loaded.get(id);
      if (entry === undefined) return undefined;
      uses += 1;
      entry.used = uses;
      return entry.snapshot;
    },
    keep: (id, snapshot) => {
      drop(id);
      const bytes = bytesOf(snapshot);
      uses += 1;
      loaded.set(id, { snapshot, bytes, used: uses });
      held += bytes;
      if (held > bytesMax) makeRoom();
    },
  };
};

export const newSnapshotCache = <Snapshot extends { readonly organization_id: string }>(
  load: (organizationId: string, id: string) => Promise<Snapshot | undefined>,
  bound: SnapshotBound<Snapshot>,
): SnapshotCache<Snapshot> => {
  const loaded = newKept(bound);
  const loading = new Map<string, Promise<Snapshot | undefined>>();

  const start = (organizationId: string, id: string): Promise<Snapshot | undefined> => {
    const key = `${organizationId}/${id}`;
    const running = loading.get(key);
    if (running !== undefined) return running;
    const begun = load(organizationId, id)
      .then((snapshot) => {
        if (snapshot) loaded.keep(id, snapshot);
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
      if (loaded.get(id) === snapshot) loaded.drop(id);
    },
  };
};
