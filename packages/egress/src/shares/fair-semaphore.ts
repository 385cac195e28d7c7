/** Counts of slots. A tenant holds at most its own bound and at most as many as are left free, so that a newcomer always finds one. */
export type SemaphoreLimits = {
  readonly total: number;
  readonly perTenant: number;
  readonly perPlace: number;
  readonly waiting: number;
  readonly waitingPerTenant: number;
};

/** `waited` says that somebody else had the slot before. `release` may be called more than once. */
export type Slot = { readonly waited: boolean; readonly release: () => void };

/** `full`: the queue has no room either. `late`: the wait was longer than asked for, or broken off. */
export type NoSlot = 'full' | 'late';

export type FairSemaphore = {
  /** At once where there is a slot; otherwise a place in the queue for so many milliseconds, or until the signal fires. */
  readonly take: (tenant: string, place: string, waitMs: number, signal: AbortSignal) => Slot | NoSlot | Promise<Slot | NoSlot>;
};

type Waiter = { readonly place: string; readonly begin: () => void };
type Held = { count: number; readonly places: Map<string, number> };
/** Waiters in the order in which they came, by place. */
type Queue = { count: number; readonly places: Map<string, Set<Waiter>> };

/** What is held, by tenant and place. Tenants that hold nothing take no memory. */
const newHoldings = ({ total, perTenant, perPlace }: SemaphoreLimits) => {
  const tenants = new Map<string, Held>();
  let free = total;
  return {
    mayTake: (tenant: string, place: string): boolean => {
      const held = tenants.get(tenant);
      if (held === undefined) return free > 0;
      return held.count < Math.min(perTenant, free) && (held.places.get(place) ?? 0) < perPlace;
    },
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

/** Who waits. Served round-robin over tenants: whoever was served last goes to the end. */
const newQueues = (limits: SemaphoreLimits) => {
  const queues = new Map<string, Queue>();
  let waiting = 0;
  const remove = (tenant: string, queue: Queue, waiter: Waiter): void => {
    const line = queue.places.get(waiter.place);
    if (!line?.delete(waiter)) return;
    waiting -= 1;
    queue.count -= 1;
    if (line.size === 0) queue.places.delete(waiter.place);
    if (queue.count === 0) queues.delete(tenant);
  };
  return {
    hasRoom: (tenant: string): boolean => waiting < limits.waiting && (queues.get(tenant)?.count ?? 0) < limits.waitingPerTenant,
    /** Answers how to leave the queue. */
    add: (tenant: string, waiter: Waiter): (() => void) => {
      const queue: Queue = queues.get(tenant) ?? { count: 0, places: new Map() };
      const line = queue.places.get(waiter.place) ?? new Set();
      queues.set(tenant, queue);
      queue.places.set(waiter.place, line.add(waiter));
      queue.count += 1;
      waiting += 1;
      return () => remove(tenant, queue, waiter);
    },
    /** Takes the next one out that may go; undefined when nobody may. */
    next: (mayGo: (tenant: string, place: string) => boolean): Waiter | undefined => {
      for (const [tenant, queue] of queues) {
        for (const [place, line] of queue.places) {
          const [first] = line;
          if (first === undefined || !mayGo(tenant, place)) continue;
          remove(tenant, queue, first);
          if (queues.delete(tenant)) queues.set(tenant, queue);
          return first;
        }
      }
      return undefined;
    },
  };
};

/**
 * A semaphore shared by tenants, after the dynamic threshold scheme of shared packet buffers: one tenant alone may hold its whole bound, and
 * the more is taken by others the less it may take. Within a tenant the slots of one place are bounded too, so that one slow host does not
 * take them all. The queue is bounded in all and per tenant.
 */
export const newFairSemaphore = (limits: SemaphoreLimits): FairSemaphore => {
  const holdings = newHoldings(limits);
  const queues = newQueues(limits);
  const serve = (): void => {
    for (let next = queues.next(holdings.mayTake); next !== undefined; next = queues.next(holdings.mayTake)) next.begin();
  };
  const slotOf = (tenant: string, place: string, waited: boolean): Slot => {
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
      if (holdings.mayTake(tenant, place)) return slotOf(tenant, place, false);
      if (signal.aborted || !queues.hasRoom(tenant)) return signal.aborted ? 'late' : 'full';
      return new Promise((resolve) => {
        const stop = (): void => {
          clearTimeout(timer);
          signal.removeEventListener('abort', giveUp);
        };
        const giveUp = (): void => {
          stop();
          leave();
          resolve('late');
        };
        const leave = queues.add(tenant, {
          place,
          begin: () => {
            stop();
            resolve(slotOf(tenant, place, true));
          },
        });
        const timer = setTimeout(giveUp, waitMs);
        signal.addEventListener('abort', giveUp, { once: true });
      });
    },
  };
};
