import type { StreamEnd } from '@svc/contract/tables/written/stream-ends.ts';
import type { StillAdmitted } from '../wire.ts';

type Bounds = { readonly [Name in 'perOrganizationMax' | 'totalMax' | 'lifeMs' | 'lookMs']: number } & {
  /** What one has to take to keep its place where others have none, on the average since it was opened, once the first moments are over. */
  readonly bytesPerSecondMin?: number;
  readonly graceMs?: number;
  /** An open stream is never ended to make a place for another one. */
  readonly keepsPlaces?: boolean;
};

/** `ended` has the reason, a `StreamEnd`, where somebody else than its reader ended it. `close` may be called more than once. */
type OpenStream = { readonly ended: AbortSignal; readonly close: () => void };

export type OpenStreams = {
  /** Undefined where there is no room. `taken` says how many bytes its reader has taken of it. */
  readonly open: (organizationId: string, still: StillAdmitted, taken?: () => number) => OpenStream | undefined;
  readonly closeAll: () => void;
};

type Held = {
  readonly organizationId: string;
  readonly still: StillAdmitted;
  readonly end: (reason?: StreamEnd) => void;
  readonly bytesPerSecond: () => number;
};

/** Streams by organization, those of each in the order in which they were opened. */
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
    /** The oldest of whoever has most, where that is at least two more than `count`: so that nobody is moved to and fro. */
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

/** The slowest of those that are slower than that. */
const slowestBelow = (bytesPerSecondMin: number, all: readonly Held[]): Held | undefined => {
  let slowest: Held | undefined;
  let least = bytesPerSecondMin;
  for (const each of all) {
    const speed = each.bytesPerSecond();
    if (speed < least) [slowest, least] = [each, speed];
  }
  return slowest;
};

/** How fast a stream is read; as fast as can be while it has just begun, and where nobody says. */
const speedOf = (graceMs: number, taken: (() => number) | undefined): (() => number) => {
  const began = performance.now();
  return () => {
    const tookMs = performance.now() - began;
    return taken === undefined || tookMs < graceMs ? Number.POSITIVE_INFINITY : (taken() * 1_000) / tookMs;
  };
};

/** Begins to look every so many milliseconds, until there is nothing to look at; never twice at once. */
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
 * Counts streams by organization and in all, and ends each when its time is over, or whoever reads it may not have it any more: asked of all
 * of them in one moment, so that what is read for it is read together. Where all places are taken, whoever has most gives one up, and where nobody
 * has more than others, whoever reads so slowly that it would keep its place for nothing.
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
    const stream: Held = { organizationId, still, end, bytesPerSecond: speedOf(graceMs, taken) };
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
