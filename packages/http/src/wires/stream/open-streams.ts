import type { StreamEnd } from '@svc/contract/tables/written/stream-ends.ts';
import type { StillAdmitted } from '../wire.ts';

type Bounds = { readonly [Name in 'perOrganizationMax' | 'totalMax' | 'lifeMs' | 'lookMs']: number } & {
  /** Minimum average rate since it was opened, after the first moments, for a stream to keep its slot if others have none. */
  readonly bytesPerSecondMin?: number;
  readonly graceMs?: number;
  /** An open stream is never ended to free a slot for another one. */
  readonly keepsPlaces?: boolean;
};

/** `ended` has the reason, a `StreamEnd`, if it was not its reader who ended it. `close` may be called more than once. */
type OpenStream = { readonly ended: AbortSignal; readonly close: () => void };

export type OpenStreams = {
  /** Opens a stream; undefined without capacity. `taken` returns the bytes that its reader has read. */
  readonly open: (organizationId: string, still: StillAdmitted, taken?: () => number) => OpenStream | undefined;
  readonly closeAll: () => void;
};

type Held = {
  readonly organizationId: string;
  readonly still: StillAdmitted;
  readonly end: (reason?: StreamEnd) => void;
  readonly bytesPerSecond: () => number;
};

/** Creates the set of streams by organization, each in order of opening. */
const newHeld = () => {
  const byOrganization = new Map<string, Set<Held>>();
  return {
    ofOrganization: (id: string): number => byOrganization.get(id)?.size ?? 0,
    all: (): Held[] => [...byOrganization.values()].flatMap((each) => [...each]),
    add: (held: Held): void => {
      const known = byOrganization.get(held.organizationId) ?? new Set();
      byOrganization.set(held.organizationId, known.add(held));
    },
    remove: (held: Held): boolean => {
      const known = byOrganization.get(held.organizationId);
      const isRemoved = known?.delete(held) ?? false;
      if (known?.size === 0) byOrganization.delete(held.organizationId);
      return isRemoved;
    },
    /** Returns the oldest stream of the organization with most, if it has at least two more than `count`, which prevents oscillation. */
    oldestOfMost: (count: number): Held | undefined => {
      let most: Set<Held> | undefined;
      for (const each of byOrganization.values()) if (each.size > (most?.size ?? count + 1)) most = each;
      return most?.values().next().value;
    },
  };
};

const endUnlessAdmitted = async ({ still, end }: Held): Promise<void> => {
  const isAdmitted = await still().catch(() => undefined);
  if (!isAdmitted) end(isAdmitted === undefined ? 'unavailable' : 'not_admitted');
};

/** Returns the slowest stream below the minimum rate. */
const slowestBelow = (bytesPerSecondMin: number, all: readonly Held[]): Held | undefined => {
  let slowest: Held | undefined;
  let least = bytesPerSecondMin;
  for (const each of all) {
    const speed = each.bytesPerSecond();
    if (speed < least) [slowest, least] = [each, speed];
  }
  return slowest;
};

/** Returns the rate of a stream; infinite in its first moments, and if it is not measured. */
const getSpeed = (graceMs: number, taken: (() => number) | undefined): (() => number) => {
  const began = performance.now();
  return () => {
    const tookMs = performance.now() - began;
    return taken === undefined || tookMs < graceMs ? Number.POSITIVE_INFINITY : (taken() * 1_000) / tookMs;
  };
};

/** Runs a check periodically until there is nothing to check; never twice concurrently. */
const newBeat = (everyMs: number, look: () => Promise<unknown> | undefined): (() => void) => {
  let isGoing = false;
  const goOn = (): void => {
    const looked = look();
    isGoing = looked !== undefined;
    void looked?.finally(() => setTimeout(goOn, everyMs).unref());
  };
  return () => {
    if (isGoing) return;
    isGoing = true;
    setTimeout(goOn, everyMs).unref();
  };
};

/**
 * Counts streams by organization and in total, and ends each when its lifetime is over or its reader loses access: checked for all of them
 * at once, so that the reads are batched. At capacity the organization with most gives one up; if all have equally many, a stream that is
 * read too slowly does.
 */
export const newOpenStreams = (bounds: Bounds): OpenStreams => {
  const { perOrganizationMax, totalMax, lifeMs, lookMs, bytesPerSecondMin = 0, graceMs = 0, keepsPlaces = false } = bounds;
  const held = newHeld();
  let count = 0;
  const beginLooking = newBeat(lookMs, () => (count === 0 ? undefined : Promise.all(held.all().map(endUnlessAdmitted))));
  const hasRoom = (own: number): boolean => {
    if (own >= perOrganizationMax) return false;
    if (count >= totalMax && !keepsPlaces) (held.oldestOfMost(own) ?? slowestBelow(bytesPerSecondMin, held.all()))?.end('no_room');
    return count < totalMax;
  };
  const open: OpenStreams['open'] = (organizationId, still, taken) => {
    if (!hasRoom(held.ofOrganization(organizationId))) return undefined;
    const ending = new AbortController();
    const end = (reason?: StreamEnd): void => {
      if (!held.remove(stream)) return;
      count -= 1;
      clearTimeout(timer);
      ending.abort(reason);
    };
    const stream: Held = { organizationId, still, end, bytesPerSecond: getSpeed(graceMs, taken) };
    const timer = setTimeout(end, lifeMs, 'time_up').unref();
    held.add(stream);
    count += 1;
    beginLooking();
    return { ended: ending.signal, close: () => end() };
  };
  return {
    open,
    closeAll: () => {
      for (const { end } of held.all()) end('stopping');
    },
  };
};
