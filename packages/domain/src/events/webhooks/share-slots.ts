import { LIMITS } from '@svc/contract/tables/limits.ts';

const { sendsMax, slowSendsMax, organizationSendsMax, receiverSendsMax, newReceiverSendsMax } = LIMITS.webhooks;

/** What is known of a receiver that deliveries wait for. */
export type Waiting = {
  readonly id: string;
  readonly organizationId: string;
  /** Deliveries under way to it now. */
  readonly inFlight: number;
  /** How many may be: it grows while they arrive, and is one after one did not. */
  readonly window: number;
  /** Whether the last attempt did not arrive, or took long. */
  readonly isSlow: boolean;
};

/** How many may be under way to a receiver after one more ended, quickly or not. */
export const nextWindow = (window: number, arrivedQuickly: boolean): number =>
  arrivedQuickly ? Math.min(receiverSendsMax, window + 1) : 1;

export const FIRST_WINDOW: number = newReceiverSendsMax;

const countOf = (receivers: readonly Waiting[], fits: (each: Waiting) => boolean): number =>
  receivers.reduce((sum, each) => sum + (fits(each) ? each.inFlight : 0), 0);

type Held = { total: number; slow: number; readonly byOrganization: Map<string, number> };

const heldBy = (receivers: readonly Waiting[]): Held => {
  const byOrganization = new Map<string, number>();
  for (const { organizationId, inFlight } of receivers)
    byOrganization.set(organizationId, (byOrganization.get(organizationId) ?? 0) + inFlight);
  return { total: countOf(receivers, () => true), slow: countOf(receivers, ({ isSlow }) => isSlow), byOrganization };
};

const hasRoom = (held: Held, { organizationId, isSlow }: Waiting): boolean =>
  held.total < sendsMax && (!isSlow || held.slow < slowSendsMax) && (held.byOrganization.get(organizationId) ?? 0) < organizationSendsMax;

/** Of each organization its receivers, in the order in which they came. */
const lanesOf = (receivers: readonly Waiting[]): Waiting[][] => {
  const lanes = new Map<string, Waiting[]>();
  for (const each of receivers) {
    const lane = lanes.get(each.organizationId);
    if (lane) lane.push(each);
    else lanes.set(each.organizationId, [each]);
  }
  return [...lanes.values()];
};

/**
 * How many more deliveries may begin now, by receiver. Organizations take one each in turn, each for its receivers in turn, so that what one
 * has too much of costs the others nothing. Receivers that do not answer have a part of all places and no more: however many hang, there is
 * room for those that do answer.
 */
export const shareSlots = (all: readonly Waiting[], wanting: readonly Waiting[]): ReadonlyMap<string, number> => {
  const held = heldBy(all);
  const given = new Map<string, number>();
  let lanes = lanesOf(wanting);
  while (lanes.length > 0) {
    lanes = lanes.flatMap((lane) => {
      const at = lane.findIndex((each) => hasRoom(held, each) && each.inFlight + (given.get(each.id) ?? 0) < each.window);
      const next = lane[at];
      if (next === undefined) return [];
      given.set(next.id, (given.get(next.id) ?? 0) + 1);
      held.total += 1;
      held.slow += next.isSlow ? 1 : 0;
      held.byOrganization.set(next.organizationId, (held.byOrganization.get(next.organizationId) ?? 0) + 1);
      return [[...lane.slice(at + 1), ...lane.slice(0, at), next]];
    });
  }
  return given;
};
