import { LIMITS } from '@svc/contract/tables/limits.ts';

const {
  concurrentSendsMax,
  unprovenSendsMax,
  concurrentSendsPerOrganizationMax,
  organizationUnprovenSendsMax,
  receiverSendsMax,
  slowReceiverSendsMax,
  quickMs,
} = LIMITS.webhooks;

/** Result of the last delivery to a receiver: quick; failed or slow; or unknown. */
export type ReceiverState = 'quick' | 'slow' | 'unknown';

/** A receiver that a worker serves, and how many deliveries are under way to it. */
export type DeliveryReceiver = {
  readonly id: string;
  readonly organizationId: string;
  readonly inFlight: number;
  /** The maximum number in progress. */
  readonly window: number;
  readonly standing: ReceiverState;
  /** Time of its last start or end, on any clock. */
  readonly busyAt: number;
};

/** An unknown receiver is tried with one delivery first, like a failed one. */
export const FIRST_WINDOW = 1;

/** Returns the state of a receiver after one more delivery: the window grows while they arrive quickly, and is halved after a failure. */
export const standingAfter = (
  window: number,
  { arrived, durationMs }: { readonly arrived: boolean; readonly durationMs: number },
): Pick<DeliveryReceiver, 'window' | 'standing'> => {
  if (!arrived) return { standing: 'slow', window: Math.max(1, Math.floor(window / 2)) };
  if (durationMs <= quickMs) return { standing: 'quick', window: Math.min(receiverSendsMax, window + 1) };
  return { standing: 'slow', window: Math.min(slowReceiverSendsMax, window + 1) };
};

/** Places by standing: of all, and of one organization. */
const PLACES: Readonly<Record<ReceiverState, { readonly all: number; readonly organization: number }>> = {
  quick: { all: concurrentSendsMax, organization: concurrentSendsPerOrganizationMax },
  slow: { all: unprovenSendsMax, organization: organizationUnprovenSendsMax },
  unknown: { all: unprovenSendsMax, organization: organizationUnprovenSendsMax },
};

/** Counts deliveries in progress: in all, by state, by organization, and by both. */
const newHoldings = (receivers: readonly DeliveryReceiver[]) => {
  const counts = new Map<string, number>();
  const getKeys = ({ standing, organizationId }: DeliveryReceiver) => ['', standing, ` ${organizationId}`, `${standing} ${organizationId}`];
  const count = (key: string): number => counts.get(key) ?? 0;
  const add = (receiver: DeliveryReceiver, more: number): void => {
    for (const key of getKeys(receiver)) counts.set(key, count(key) + more);
  };
  for (const each of receivers) add(each, each.inFlight);
  return {
    add,
    ofOrganization: (organizationId: string): number => count(` ${organizationId}`),
    hasRoom: (receiver: DeliveryReceiver): boolean => {
      const [all, ofStanding, ofOrganization, ofBoth] = getKeys(receiver).map(count) as [number, number, number, number];
      const places = PLACES[receiver.standing];
      return (
        all < concurrentSendsMax &&
        ofStanding < places.all &&
        ofOrganization < concurrentSendsPerOrganizationMax &&
        ofBoth < places.organization
      );
    },
  };
};

const lastBusy = (lane: readonly DeliveryReceiver[]): number => Math.max(...lane.map(({ busyAt }) => busyAt));

/**
 * Sorts the receivers of each organization, those with the least in progress and among these the longest waiting first, and organizations
 * likewise [max-min fairness]. Slots become free one by one: in any other order the first would get each of them again.
 */
const listLanes = (receivers: readonly DeliveryReceiver[], getCount: (organizationId: string) => number): DeliveryReceiver[][] => {
  const inOrder = receivers.toSorted((a, b) => a.inFlight - b.inFlight || a.busyAt - b.busyAt);
  return [...Map.groupBy(inOrder, ({ organizationId }) => organizationId)]
    .map(([organizationId, lane]) => ({ lane, count: getCount(organizationId), busyAt: lastBusy(lane) }))
    .toSorted((a, b) => a.count - b.count || a.busyAt - b.busyAt)
    .map(({ lane }) => lane);
};

/**
 * Returns how many more deliveries may start now, by receiver [round-robin by organization, then by receiver]. Slow and unknown receivers
 * share a part of all slots each: however many hang, there is capacity for those that respond.
 */
export const shareSlots = (all: readonly DeliveryReceiver[], wanting: readonly DeliveryReceiver[]): ReadonlyMap<string, number> => {
  const holdings = newHoldings(all);
  const given = new Map<string, number>();
  let lanes = listLanes(wanting, holdings.ofOrganization);
  while (lanes.length > 0) {
    lanes = lanes.flatMap((lane) => {
      const at = lane.findIndex((each) => each.inFlight + (given.get(each.id) ?? 0) < each.window && holdings.hasRoom(each));
      const next = lane[at];
      if (next === undefined) return [];
      given.set(next.id, (given.get(next.id) ?? 0) + 1);
      holdings.add(next, 1);
      return [[...lane.slice(at + 1), ...lane.slice(0, at), next]];
    });
  }
  return given;
};
