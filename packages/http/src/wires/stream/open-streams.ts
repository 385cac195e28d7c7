import type { StreamEnd } from '@svc/contract/tables/written/stream-ends.ts';
import type { StillAdmitted } from '../wire.ts';

type Bounds = { readonly perOrganizationMax: number; readonly totalMax: number; readonly lifeMs: number; readonly lookMs: number };

/** `ended` has the reason, a `StreamEnd`, where somebody else than its reader ended it. `close` may be called more than once. */
type OpenStream = { readonly ended: AbortSignal; readonly close: () => void };

export type OpenStreams = {
  /** Undefined where there is no room. */
  readonly open: (organizationId: string, still: StillAdmitted) => OpenStream | undefined;
  readonly closeAll: () => void;
};

type Held = { readonly organizationId: string; readonly still: StillAdmitted; readonly end: (reason?: StreamEnd) => void };

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
 * of them in one moment, so that what is read for it is read together. Where all places are taken, whoever has most gives one up.
 */
export const newOpenStreams = ({ perOrganizationMax, totalMax, lifeMs, lookMs }: Bounds): OpenStreams => {
  const held = newHeld();
  let count = 0;
  const beginLooking = newBeat(lookMs, () => (count === 0 ? undefined : Promise.all(held.all().map(endUnlessAdmitted))));
  const hasRoom = (own: number): boolean => {
    if (own >= perOrganizationMax) return false;
    if (count >= totalMax) held.oldestOfMost(own)?.end('no_room');
    return count < totalMax;
  };
  const open = (organizationId: string, still: StillAdmitted): OpenStream | undefined => {
    if (!hasRoom(held.ofOrganization(organizationId))) return undefined;
    const ending = new AbortController();
    const end = (reason?: StreamEnd): void => {
      if (!held.remove(stream)) return;
      count -= 1;
      clearTimeout(timer);
      ending.abort(reason);
    };
    const stream: Held = { organizationId, still, end };
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
