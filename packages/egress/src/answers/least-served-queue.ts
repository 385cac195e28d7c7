/** A queue by tenant: next is the tenant that used the least of the shared time recently, and among equal ones the first to arrive. */
export type LeastServedQueue<Item> = {
  readonly push: (tenant: string, item: Item) => void;
  readonly take: () => { readonly tenant: string; readonly item: Item } | undefined;
  /** Records the time it took to serve a tenant. */
  readonly charge: (tenant: string, tookMs: number) => void;
  readonly takeAll: () => Item[];
};

type Waiting<Item> = { readonly tenant: string; readonly item: Item };
type Spent = { readonly ms: number; readonly atMs: number };

/** Usage of this age counts half. */
const HALF_LIFE_MS = 10_000;
const TENANTS_MAX = 256;

/** Creates a least-attained-service queue with exponential decay. For short queues: taking scans all that wait. */
export const newLeastServedQueue = <Item>(nowMs: () => number = () => performance.now()): LeastServedQueue<Item> => {
  let waiting: Waiting<Item>[] = [];
  /** In the order in which they were served last. */
  const spent = new Map<string, Spent>();

  const spentBy = (tenant: string): number => {
    const known = spent.get(tenant);
    return known === undefined ? 0 : known.ms * 0.5 ** ((nowMs() - known.atMs) / HALF_LIFE_MS);
  };
  return {
    push: (tenant, item) => void waiting.push({ tenant, item }),
    take: () => {
      const [first, ...others] = waiting;
      if (first === undefined) return undefined;
      const next = others.reduce((least, one) => (spentBy(one.tenant) < spentBy(least.tenant) ? one : least), first);
      waiting = waiting.filter((one) => one !== next);
      return next;
    },
    charge: (tenant, tookMs) => {
      const ms = spentBy(tenant) + tookMs;
      spent.delete(tenant);
      spent.set(tenant, { ms, atMs: nowMs() });
      const [oldest] = spent.keys();
      if (spent.size > TENANTS_MAX && oldest !== undefined) spent.delete(oldest);
    },
    takeAll: () => waiting.splice(0).map(({ item }) => item),
  };
};
