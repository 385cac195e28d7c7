import type { ServerConnection } from './connection.ts';

/** Connections of a tenant key: an address, or an organization. */
export type Holder = {
  readonly open: Set<ServerConnection>;
  /** Candidates for eviction when last listed. */
  closable: Closable[];
  /** Time until which listing is skipped, since the last one found none. */
  barrenUntilMs: number;
};

/** Valid only while nothing was requested on it since. */
export type Closable = { readonly connection: ServerConnection; readonly usedAt: number };

/** Tenant keys by name, and by number of connections, with constant-time updates. */
export type TenantKeys = {
  readonly getCount: (name: string) => number;
  readonly find: (name: string) => Holder | undefined;
  readonly add: (name: string, connection: ServerConnection) => void;
  readonly remove: (name: string, connection: ServerConnection) => void;
  /** Iterates from the largest number down. */
  readonly byCount: () => IteratorObject<Holder>;
};

export const createTenantKeys = (): TenantKeys => {
  const byName = new Map<string, Holder>();
  const withCount: Set<Holder>[] = [];
  let most = 0;

  const move = (holder: Holder, from: number, to: number): void => {
    withCount[from]?.delete(holder);
    withCount[to] ??= new Set();
    if (to > 0) withCount[to].add(holder);
    most = Math.max(most, to);
    while (most > 0 && withCount[most]?.size === 0) most -= 1;
  };
  return {
    getCount: (name) => byName.get(name)?.open.size ?? 0,
    find: (name) => byName.get(name),
    add: (name, connection) => {
      const holder = byName.get(name) ?? { open: new Set(), closable: [], barrenUntilMs: 0 };
      byName.set(name, holder);
      holder.open.add(connection);
      move(holder, holder.open.size - 1, holder.open.size);
    },
    remove: (name, connection) => {
      const holder = byName.get(name);
      if (!holder?.open.delete(connection)) return;
      move(holder, holder.open.size + 1, holder.open.size);
      if (holder.open.size === 0) byName.delete(name);
    },
    *byCount() {
      for (let count = most; count > 0; count -= 1) yield* withCount[count] ?? [];
    },
  };
};
