import { type FairQueue, newFairQueue } from '../queue/fair-queue.ts';
import type { Busy } from './byte-shares.ts';

/** Bounds of slots. A tenant holds at most its own bound, and at most as many as are left free, so that a newcomer always finds one. */
export type SlotSemaphoreLimits = {
  readonly total: number;
  readonly perTenant: number;
  readonly perPlace: number;
  readonly waiting: number;
  readonly waitingPerTenant: number;
};

/** `waited` is true if another call held the slot before. `release` may be called more than once. */
export type SemaphoreSlot = { readonly waited: boolean; readonly release: () => void };

/** `full`: the queue has no capacity either. `late`: the wait timed out or was aborted. */
export type NoSlot = 'full' | 'late';

export type SlotSemaphore = {
  /** Returns a slot at once if one is free; else queues for up to `waitMs` milliseconds or until the signal fires. */
  readonly take: (
    tenant: string,
    place: string,
    waitMs: number,
    signal: AbortSignal,
  ) => SemaphoreSlot | NoSlot | Promise<SemaphoreSlot | NoSlot>;
  /** Returns why a tenant gets no slot for this place now: its own share is full, or others hold all slots. */
  readonly busy: (tenant: string, place: string) => Busy;
};

type Waiter = { readonly tenant: string; readonly place: string; readonly begin: () => void };
type Held = { count: number; readonly places: Map<string, number> };

/** Counts the held slots by tenant and place. Tenants that hold nothing take no memory. */
const newHoldings = ({ total, perTenant, perPlace }: SlotSemaphoreLimits) => {
  const tenants = new Map<string, Held>();
  let free = total;
  return {
    hasRoom: (tenant: string): boolean => {
      const held = tenants.get(tenant);
      return held === undefined ? free > 0 : held.count < Math.min(perTenant, free);
    },
    /** True while the tenant is at a bound of its own, or holds slots while others are free. */
    isOwnShareFull: (tenant: string, place: string): boolean => {
      const held = tenants.get(tenant);
      if (held === undefined) return false;
      return held.count >= perTenant || (held.places.get(place) ?? 0) >= perPlace || free > 0;
    },
    hasPlace: (tenant: string, place: string): boolean => (tenants.get(tenant)?.places.get(place) ?? 0) < perPlace,
    take: (tenant: string, place: string): void => {
      free -= 1;
      const held: Held = tenants.get(tenant) ?? { count: 0, places: new Map() };
      held.count += 1;
      held.places.set(place, (held.places.get(place) ?? 0) + 1);
      tenants.set(tenant, held);
    },
    giveBack: (tenant: string, place: string): void => {
      free += 1;
      const held = tenants.get(tenant);
      if (held === undefined) return;
      held.count -= 1;
      const left = (held.places.get(place) ?? 1) - 1;
      if (left > 0) held.places.set(place, left);
      else held.places.delete(place);
      if (held.count === 0) tenants.delete(tenant);
    },
  };
};

/** Queues until a slot is free, the time is up or the signal fires. */
const wait = (
  queue: FairQueue<Waiter>,
  who: Omit<Waiter, 'begin'>,
  take: () => SemaphoreSlot,
  waitMs: number,
  signal: AbortSignal,
): Promise<SemaphoreSlot | NoSlot> =>
  new Promise((resolve) => {
    const stop = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
    };
    const begin = (): void => {
      stop();
      resolve(take());
    };
    const waiter: Waiter = { ...who, begin };
    const giveUp = (): void => {
      stop();
      queue.remove(who.tenant, waiter);
      resolve('late');
    };
    const timer = setTimeout(giveUp, waitMs);
    signal.addEventListener('abort', giveUp, { once: true });
    queue.push(who.tenant, waiter);
  });

/**
 * A semaphore shared by tenants, after the dynamic threshold scheme of shared packet buffers: one tenant alone may hold its whole bound,
 * and
 * the more others hold, the less it may take. Within a tenant the slots of one place are bounded too, so that one slow host does not take
 * them all. The queue is bounded in all and per tenant.
 */
export const newSlotSemaphore = (limits: SlotSemaphoreLimits): SlotSemaphore => {
  const holdings = newHoldings(limits);
  const queue = newFairQueue<Waiter>();
  const isFit = ({ tenant, place }: Waiter): boolean => holdings.hasPlace(tenant, place);
  const serve = (): void => {
    for (let one = queue.next(holdings.hasRoom, isFit); one !== undefined; one = queue.next(holdings.hasRoom, isFit)) one.begin();
  };
  const getSlot = (tenant: string, place: string, waited: boolean): SemaphoreSlot => {
    holdings.take(tenant, place);
    let held = true;
    const release = (): void => {
      if (!held) return;
      held = false;
      holdings.giveBack(tenant, place);
      serve();
    };
    return { waited, release };
  };
  return {
    take: (tenant, place, waitMs, signal) => {
      if (holdings.hasRoom(tenant) && holdings.hasPlace(tenant, place)) return getSlot(tenant, place, false);
      if (signal.aborted) return 'late';
      const isFull = queue.size() >= limits.waiting || queue.sizeOf(tenant) >= limits.waitingPerTenant;
      return isFull ? 'full' : wait(queue, { tenant, place }, () => getSlot(tenant, place, true), waitMs, signal);
    },
    busy: (tenant, place) =>
      holdings.isOwnShareFull(tenant, place) || queue.sizeOf(tenant) >= limits.waitingPerTenant ? 'tenant' : 'service',
  };
};
