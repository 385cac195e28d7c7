import { LIMITS } from '@svc/contract/tables/limits.ts';
import { sql } from 'kysely';
import type { Database } from '../connection/connect.ts';
import type { TenantTransaction } from '../connection/in-tenant.ts';
import { isAfter } from './feed-horizon.ts';
import { type FeedLeaf, readLeaves } from './feed-leaves.ts';
import { type FeedInterest, type FeedPage, type FeedPosition, type FeedQuestion, readFeed } from './read-feed.ts';
import { readWhole } from './read-whole.ts';

/** A stretch read more recently than this is not read again. */
const FRESH_MS = LIMITS.feed.lookEveryMs / 2;

type Connection = Database | TenantTransaction;

/**
 * The range of the feed that the consumers of a process read: read once, and passed to each of them. Settled events never change, so a
 * consumer that reads in its own transaction may get the result of another. Bounded: a consumer outside of it reads by itself.
 */
export type FeedWindow = {
  /** Returns the events after a position, by one read at most; undefined if this window does not contain it. */
  readonly leavesAfter: (
    connection: Connection,
    consumer: string,
    after: FeedPosition,
    limit: number,
  ) => Promise<FeedPage<FeedLeaf> | undefined>;
  /** A consumer that another process runs holds nothing back here. */
  readonly leave: (consumer: string) => void;
  /** After an error, since another database may answer next. */
  readonly forget: () => void;
};

type Held = { leaves: FeedLeaf[]; from: FeedPosition; reached: FeedPosition; isFull: boolean; readAt: number };

const covers = ({ from, reached }: Held, position: FeedPosition): boolean => !isAfter(from, position) && !isAfter(position, reached);

/** Counts those at or before a position. */
const countUpTo = (leaves: readonly FeedLeaf[], position: FeedPosition): number => {
  let [low, high] = [0, leaves.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isAfter((leaves[middle] as FeedLeaf).position, position)) high = middle;
    else low = middle + 1;
  }
  return low;
};

/** Drops what every consumer in the window has read. */
const trim = (held: Held, stands: ReadonlyMap<string, FeedPosition>): void => {
  const inside = [...stands.values()].filter((stand) => covers(held, stand));
  const [first] = inside;
  if (first === undefined) return;
  const least = inside.reduce((a, b) => (isAfter(a, b) ? b : a), first);
  held.leaves.splice(0, countUpTo(held.leaves, least));
  held.from = least;
};

const getPage = ({ leaves, reached, isFull }: Held, after: FeedPosition, limit: number): FeedPage<FeedLeaf> => {
  const first = countUpTo(leaves, after);
  const events = leaves.slice(first, first + limit);
  const last = events.at(-1);
  return last !== undefined && first + limit < leaves.length
    ? { events, reached: last.position, isFull: true }
    : { events, reached, isFull };
};

/** Opens a window without consumers. */
const openAt = (position: FeedPosition): Held => ({
  leaves: [],
  from: position,
  reached: position,
  isFull: true,
  readAt: Number.NEGATIVE_INFINITY,
});

/** Reads what follows the window, and widens it by that. */
const readOn = async (connection: Connection, window: Held): Promise<void> => {
  const page = await readLeaves(connection, { after: window.reached, limit: LIMITS.feed.readAtOnceMax });
  for (const leaf of page.events) window.leaves.push(leaf);
  [window.reached, window.isFull, window.readAt] = [page.reached, page.isFull, performance.now()];
};

export const newFeedWindow = (): FeedWindow => {
  const stands = new Map<string, FeedPosition>();
  let held: Held | undefined;
  let reading: Promise<unknown> | undefined;
  const hold = (consumer: string, after: FeedPosition): Held | undefined => {
    stands.set(consumer, after);
    const now = held;
    // No other consumer is in it, so it moves to this one.
    const isFree = now === undefined || ![...stands].some(([name, stand]) => name !== consumer && covers(now, stand));
    if (now && covers(now, after)) trim(now, stands);
    else if (isFree) held = openAt(after);
    else return undefined;
    return held;
  };
  const leavesAfter: FeedWindow['leavesAfter'] = async (connection, consumer, after, limit) => {
    // Waits for a read in progress; its failure is not this one's.
    await Promise.allSettled([reading]);
    const window = hold(consumer, after);
    if (window === undefined) return undefined;
    const hasMore = countUpTo(window.leaves, after) < window.leaves.length;
    const isWide = window.leaves.length >= LIMITS.feed.readAtOnceMax;
    if (isWide && !hasMore) return undefined;
    if (!isWide && reading === undefined && (!hasMore || performance.now() - window.readAt > FRESH_MS)) {
      const own = readOn(connection, window);
      reading = own;
      await own.finally(() => {
        reading = undefined;
      });
    }
    return getPage(window, after, limit);
  };
  return {
    leavesAfter,
    leave: (consumer) => void stands.delete(consumer),
    forget: () => {
      held = undefined;
      stands.clear();
    },
  };
};

/** Returns the interesting ones: checked once per organization and type. */
export const leavesOfInterest = async (
  connection: Connection,
  leaves: readonly FeedLeaf[],
  interest: FeedInterest,
): Promise<readonly FeedLeaf[]> => {
  const getKind = ({ organization_id, type }: FeedLeaf) => `${organization_id} ${type}`;
  const kinds = [...new Map(leaves.map((leaf) => [getKind(leaf), leaf])).values()];
  if (kinds.length === 0) return [];
  const { rows } = await sql<{ kind: string }>`
    select e.organization_id || ' ' || e.type as kind
      from unnest(${kinds.map(({ organization_id }) => organization_id)}::text[], ${kinds.map(({ type }) => type)}::text[]) as e (organization_id, type)
     where ${interest}`.execute(connection);
  const wanted = new Set(rows.map(({ kind }) => kind));
  return wanted.size === 0 ? [] : leaves.filter((leaf) => wanted.has(getKind(leaf)));
};

/** The same as `readFeed`, from the window if it contains the position. */
export const readThrough =
  (window: FeedWindow, consumer: string) =>
  async (connection: Connection, question: FeedQuestion): Promise<FeedPage> => {
    const { after, interest, limit } = question;
    const page = await window.leavesAfter(connection, consumer, after, interest === undefined ? limit : LIMITS.feed.readAtOnceMax);
    if (page === undefined) return await readFeed(connection, question);
    const { events: leaves, ...stands } = page;
    const wanted = interest === undefined ? leaves : await leavesOfInterest(connection, leaves, interest);
    const { events, count } = await readWhole(connection, wanted.slice(0, limit));
    const last = wanted[count - 1];
    return last !== undefined && wanted.length > count ? { events, reached: last.position, isFull: true } : { ...stands, events };
  };

/** The same as `readLeaves`. */
export const leavesThrough =
  (window: FeedWindow, consumer: string) =>
  async (connection: Connection, question: Omit<FeedQuestion, 'interest'>): Promise<FeedPage<FeedLeaf>> =>
    (await window.leavesAfter(connection, consumer, question.after, question.limit)) ?? (await readLeaves(connection, question));
