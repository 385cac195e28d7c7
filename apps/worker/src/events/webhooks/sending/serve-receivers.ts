import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type DeliveryReceiver, FIRST_WINDOW, shareSlots, standingAfter } from '@svc/domain/events/webhooks/share-slots.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { keepReceivers, leaveReceivers, takeReceivers } from '@svc/postgres/events/webhooks/lease-receivers.ts';

const { receiversMax, receiverLeaseMs, receiverIdleMs } = LIMITS.webhooks;

/** Maximum taken at once, so that several workers share them. */
const TAKEN_MAX = 64;
const KEEP_EVERY_MS = receiverLeaseMs / 5;

type Served = DeliveryReceiver & { readonly mayBeDue: boolean };

type Rooms = ReadonlyMap<string, { readonly room: number; readonly inFlight: number }>;

/** Takes unserved receivers, renews its leases, and releases receivers without due deliveries. */
const newLeases = (reader: Database, worker: string, served: Map<string, Served>) => {
  let keptAt = performance.now();
  const take = async (): Promise<void> => {
    const limit = Math.min(TAKEN_MAX, receiversMax - served.size);
    const taken = limit > 0 ? await takeReceivers(reader, worker, limit) : [];
    const first = { inFlight: 0, window: FIRST_WINDOW, standing: 'unknown', mayBeDue: true, busyAt: performance.now() } as const;
    for (const { id, organization_id } of taken) served.set(id, { ...first, id, organizationId: organization_id });
  };
  const keep = async (): Promise<void> => {
    if (served.size === 0) return;
    const kept = await keepReceivers(reader, worker, [...served.keys()]);
    for (const id of served.keys()) if (!kept.has(id)) served.delete(id);
  };
  const leaveIdle = async (): Promise<void> => {
    const before = performance.now() - receiverIdleMs;
    const idle = [...served.values()].flatMap(({ id, inFlight, busyAt }) => (inFlight === 0 && busyAt < before ? [id] : []));
    if (idle.length === 0) return;
    await leaveReceivers(reader, worker, idle);
    for (const id of idle) served.delete(id);
  };
  return async (): Promise<void> => {
    if (performance.now() - keptAt > KEEP_EVERY_MS) {
      keptAt = performance.now();
      await keep();
      await leaveIdle();
    }
    await take();
  };
};

/** Manages the receivers of this worker, and the concurrent deliveries to each. */
export const serveReceivers = (reader: Database, worker: string) => {
  const served = new Map<string, Served>();
  const lookForLeases = newLeases(reader, worker, served);
  const alter = (id: string, more: Partial<Served>): void => {
    const one = served.get(id);
    if (one) served.set(id, { ...one, ...more });
  };
  return {
    look: async (): Promise<void> => {
      await lookForLeases();
      for (const id of served.keys()) alter(id, { mayBeDue: true });
    },
    /** Returns the capacity of receivers that may have due deliveries. */
    rooms: (): Rooms => {
      const all = [...served.values()];
      const given = shareSlots(
        all,
        all.filter(({ mayBeDue }) => mayBeDue),
      );
      return new Map([...given].map(([id, room]) => [id, { room, inFlight: served.get(id)?.inFlight ?? 0 }]));
    },
    /** Records how many deliveries started within the capacity; fewer mean that no more is due now. */
    began: (id: string, count: number, room: number): void => {
      const inFlight = (served.get(id)?.inFlight ?? 0) + count;
      alter(id, { inFlight, mayBeDue: count === room, ...(count > 0 ? { busyAt: performance.now() } : {}) });
    },
    ended: (id: string, outcome: { readonly arrived: boolean; readonly durationMs: number } | null): void => {
      const one = served.get(id);
      if (!one) return;
      const standing = outcome === null ? {} : standingAfter(one.window, outcome);
      alter(id, { inFlight: Math.max(0, one.inFlight - 1), mayBeDue: true, busyAt: performance.now(), ...standing });
    },
    /** Releases all of them. */
    leave: async (): Promise<void> => {
      await leaveReceivers(reader, worker, [...served.keys()]);
      served.clear();
    },
    count: (): number => served.size,
  };
};
