import { LIMITS } from '@svc/contract/tables/limits.ts';

const { sendsMax, unprovenSendsMax, organizationSendsMax, organizationUnprovenSendsMax, receiverSendsMax, slowReceiverSendsMax, quickMs } =
  LIMITS.webhooks;

/** How a receiver answered last: quickly; not, or not quickly; or nothing is known of it yet. */
export type Standing = 'quick' | 'slow' | 'unknown';

/** A receiver that a worker serves, and how many deliveries are under way to it. */
export type Receiver = {
  readonly id: string;
  readonly organizationId: string;
  readonly inFlight: number;
  /** How many may be. */
  readonly window: number;
  readonly standing: Standing;
  /** When something of it last began or ended, on any clock. */
  readonly busyAt: number;
};

/** One that nothing is known of is tried with one delivery first, as is one that failed. */
export const FIRST_WINDOW = 1;

/** What is known of a receiver after one more delivery ended: while they arrive quickly more go at once, and after a failure half as many. */
export const standingAfter = (
  window: number,
  { arrived, durationMs }: { readonly arrived: boolean; readonly durationMs: number },
): Pick<Receiver, 'window' | 'standing'> => {
  if (!arrived) return { standing: 'slow', window: Math.max(1, Math.floor(window / 2)) };
  if (durationMs <= quickMs) return { standing: 'quick', window: Math.min(receiverSendsMax, window + 1) };
  return { standing: 'slow', window: Math.min(slowReceiverSendsMax, window + 1) };
};

/** Places by standing: of all, and of one organization. */
const PLACES: Readonly<Record<Standing, { readonly all: number; readonly organization: number }>> = {
  quick: { all: sendsMax, organization: organizationSendsMax },
  slow: { all: unprovenSendsMax, organization: organizationUnprovenSendsMax },
  unknown: { all: unprovenSendsMax, organization: organizationUnprovenSendsMax },
};

/** What is under way, in all, by standing, by organization, and by both. */
const newHoldings = (receivers: readonly Receiver[]) => {
  const counts = new Map<string, number>();
  const keysOf = ({ standing, organizationId }: Receiver) => ['', standing, ` ${organizationId}`, `${standing} ${organizationId}`];
  const count = (key: string): number => counts.get(key) ?? 0;
  const add = (receiver: Receiver, more: number): void => {
    for (const key of keysOf(receiver)) counts.set(key, count(key) + more);
  };
  for (const each of receivers) add(each, each.inFlight);
  return {
    add,
    ofOrganization: (organizationId: string): number => count(` ${organizationId}`),
    hasRoom: (receiver: Receiver): boolean => {
      const [all, ofStanding, ofOrganization, ofBoth] = keysOf(receiver).map(count) as [number, number, number, number];
      const places = PLACES[receiver.standing];
      return all < sendsMax && ofStanding < places.all && ofOrganization < organizationSendsMax && ofBoth < places.organization;
    },
  };
};

const lastBusy = (lane: readonly Receiver[]): number => Math.max(...lane.map(({ busyAt }) => busyAt));

/**
 * Of each organization its receivers, those with the least under way first and among these who waited longest, and organizations likewise
 * [max-min fairness]. Places come free one by one: in any other order whoever stands in front would have each again, and the others none.
 */
const lanesOf = (receivers: readonly Receiver[], countOf: (organizationId: string) => number): Receiver[][] => {
  const inOrder = receivers.toSorted((a, b) => a.inFlight - b.inFlight || a.busyAt - b.busyAt);
  return [...Map.groupBy(inOrder, ({ organizationId }) => organizationId)]
    .map(([organizationId, lane]) => ({ lane, count: countOf(organizationId), busyAt: lastBusy(lane) }))
    .toSorted((a, b) => a.count - b.count || a.busyAt - b.busyAt)
    .map(({ lane }) => lane);
};

/**
 * How many more deliveries may begin now, by receiver [round-robin by organization, then by receiver]. Receivers that do not answer quickly,
 * and those that nothing is known of, have a part of all places each and no more: however many hang, there is room for those that answer.
 */
export const shareSlots = (all: readonly Receiver[], wanting: readonly Receiver[]): ReadonlyMap<string, number> => {
  const holdings = newHoldings(all);
  const given = new Map<string, number>();
  let lanes = lanesOf(wanting, holdings.ofOrganization);
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
