import { IDLE_MAX } from './terms.ts';

/** An item of the pool: leased, checked on return, halted until the next lease, and stopped if it is unfit or unneeded. */
type Kept = {
  /** Resolves to null if it may be leased again. */
  readonly unfit: () => Promise<string | null>;
  /** Halts its work until it is woken. */
  readonly halt: () => void;
  /** Resolves to null if it works as before. */
  readonly wake: () => Promise<string | null>;
  readonly stop: () => Promise<void>;
};

/**
 * An object pool by kind: each item has one lessee at a time, is created if none of its kind is idle, and is checked before the next lease.
 */
export type Pool<Item> = {
  readonly take: (kind: string) => Promise<Item>;
  /** `spoilt`: the lessee ended without returning it. */
  readonly giveBack: (item: Item, options?: { readonly spoilt?: boolean }) => Promise<void>;
  /** Stops all of them, leased or not. */
  readonly close: () => Promise<void>;
};

export type PoolOptions = { readonly idleMax?: number; readonly report: (unfit: string) => void };

type Idle<Item> = { readonly kind: string; readonly item: Promise<Item | undefined> };

/** Returns items without faults; logs and stops all others. */
const newJudge =
  <Item extends Kept>(stop: (item: Item) => Promise<void>, report: (unfit: string) => void) =>
  async (item: Item, wrong: Promise<string | null>): Promise<Item | undefined> => {
    const unfit = await wrong.catch(String);
    if (unfit === null) return item;
    report(unfit);
    await stop(item);
    return undefined;
  };

export const newPool = <Item extends Kept>(
  make: (kind: string) => Promise<Item>,
  { idleMax = IDLE_MAX, report }: PoolOptions,
): Pool<Item> => {
  const idle: Idle<Item>[] = [];
  const kinds = new Map<Item, string>();
  let closed = false;
  const stop = async (item: Item): Promise<void> => {
    kinds.delete(item);
    await item.stop();
  };
  const ifFit = newJudge(stop, (unfit) => closed || report(unfit));
  const judged = async (item: Item): Promise<Item | undefined> => {
    const fit = await ifFit(item, item.unfit());
    if (!closed) fit?.halt();
    return fit;
  };
  const take = async (kind: string): Promise<Item> => {
    for (const one of [...idle].filter((each) => each.kind === kind)) {
      if (!idle.includes(one)) continue;
      idle.splice(idle.indexOf(one), 1);
      const halted = await one.item;
      const item = halted && (await ifFit(halted, halted.wake()));
      if (item) return item;
    }
    const item = await make(kind);
    kinds.set(item, kind);
    return item;
  };
  const giveBack: Pool<Item>['giveBack'] = async (item, { spoilt = false } = {}) => {
    const kind = kinds.get(item);
    if (kind === undefined) return;
    if (spoilt) return stop(item);
    idle.push({ kind, item: judged(item) });
    const oldest = idle.length > idleMax ? await idle.shift()?.item : undefined;
    if (oldest) await stop(oldest);
  };
  return {
    take,
    giveBack,
    close: async () => {
      closed = true;
      await Promise.all([...kinds.keys()].map(stop));
    },
  };
};
