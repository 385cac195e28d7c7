import { LIMITS } from '@svc/contract/tables/limits.ts';
import { sql } from 'kysely';
import type { Database } from '../connection/connect.ts';
import type { TenantTransaction } from '../connection/in-tenant.ts';
import { EVENT_NAMES, type EventRow } from './as-audit-event.ts';
import { isAfter } from './feed-horizon.ts';
import { type FeedLine, isLeafLine, organizationOf, positionOf, typeOf } from './feed-lines.ts';
import {
  asFeedEvent,
  asFeedLeaf,
  type FeedEvent,
  type FeedInterest,
  type FeedLeaf,
  type FeedLines,
  type FeedPage,
  type FeedPosition,
  type FeedQuestion,
  LEAF_LINES,
  ofRow,
  readFeed,
  readFeedLines,
  readLeaves,
} from './read-feed.ts';

/** What another has read less long ago is not read for again. */
const FRESH_MS = LIMITS.feed.lookEveryMs / 2;

/** Two reads of the largest events; whoever is further then reads by itself. */
const CHARS_MAX = 2 * LIMITS.audit.feedBytesMax;

type Connection = Database | TenantTransaction;

/**
 * The stretch of the feed that the consumers of a process are at: read once, and handed to each of them. What is settled never changes, so one
 * that reads in a transaction of its own may be given what another has read. Bounded: whoever is ahead of it, or behind it, reads by itself.
 */
export type FeedWindow = {
  /** What follows a position, by one read at most; undefined where this window does not lie there. */
  readonly linesAfter: (connection: Connection, consumer: string, after: FeedPosition, limit: number) => Promise<FeedLines | undefined>;
  /** A consumer that another process runs holds nothing back here. */
  readonly leave: (consumer: string) => void;
  /** After an error, since another database may answer next. */
  readonly forget: () => void;
};

/** Lines are held by their number, and by what their data takes together. */
type Held = { lines: FeedLine[]; chars: number; from: FeedPosition; reached: FeedPosition; isFull: boolean; readAt: number };

const covers = ({ from, reached }: Held, position: FeedPosition): boolean => !isAfter(from, position) && !isAfter(position, reached);

/** How many of these lines are at a position or before it. */
const countUpTo = (lines: readonly FeedLine[], position: FeedPosition): number => {
  let [low, high] = [0, lines.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isAfter(positionOf(lines[middle] as FeedLine), position)) high = middle;
    else low = middle + 1;
  }
  return low;
};

const charsOf = (lines: readonly FeedLine[]): number => lines.reduce((sum, line) => sum + (line.at(-1) ?? '').length, 0);

/** What every consumer that is in the window has had is let go. */
const trim = (held: Held, stands: ReadonlyMap<string, FeedPosition>): void => {
  const inside = [...stands.values()].filter((stand) => covers(held, stand));
  const [first] = inside;
  if (first === undefined) return;
  const least = inside.reduce((a, b) => (isAfter(a, b) ? b : a), first);
  held.chars -= charsOf(held.lines.splice(0, countUpTo(held.lines, least)));
  held.from = least;
};

const pageOf = ({ lines, reached, isFull }: Held, after: FeedPosition, limit: number): FeedLines => {
  const first = countUpTo(lines, after);
  const cut = lines.slice(first, first + limit);
  const last = cut.at(-1);
  return last !== undefined && first + limit < lines.length
    ? { lines: cut, reached: positionOf(last), isFull: true }
    : { lines: cut, reached, isFull };
};

/** A window that nobody is in yet. */
const openAt = (position: FeedPosition): Held => ({
  lines: [],
  chars: 0,
  from: position,
  reached: position,
  isFull: true,
  readAt: Number.NEGATIVE_INFINITY,
});

/** Reads what follows the window, and widens it by that. */
const readOn = async (connection: Connection, window: Held): Promise<void> => {
  const page = await readFeedLines(connection, { after: window.reached, limit: LIMITS.feed.readAtOnceMax }, LEAF_LINES);
  for (const line of page.lines) window.lines.push(line);
  window.chars += charsOf(page.lines);
  [window.reached, window.isFull, window.readAt] = [page.reached, page.isFull, performance.now()];
};

export const newFeedWindow = (): FeedWindow => {
  const stands = new Map<string, FeedPosition>();
  let held: Held | undefined;
  let reading: Promise<unknown> | undefined;
  const hold = (consumer: string, after: FeedPosition): Held | undefined => {
    stands.set(consumer, after);
    const now = held;
    // Nobody else is in it, so it is put where this one is.
    const isFree = now === undefined || ![...stands].some(([name, stand]) => name !== consumer && covers(now, stand));
    if (now && covers(now, after)) trim(now, stands);
    else if (isFree) held = openAt(after);
    else return undefined;
    return held;
  };
  const linesAfter: FeedWindow['linesAfter'] = async (connection, consumer, after, limit) => {
    // What another reads at this moment is waited for; that it fails is no reason for this one to.
    await Promise.allSettled([reading]);
    const window = hold(consumer, after);
    if (window === undefined) return undefined;
    const hasMore = countUpTo(window.lines, after) < window.lines.length;
    const isWide = window.lines.length >= LIMITS.feed.readAtOnceMax || window.chars >= CHARS_MAX;
    if (isWide && !hasMore) return undefined;
    if (!isWide && reading === undefined && (!hasMore || performance.now() - window.readAt > FRESH_MS)) {
      const own = readOn(connection, window);
      reading = own;
      await own.finally(() => {
        reading = undefined;
      });
    }
    return pageOf(window, after, limit);
  };
  return {
    linesAfter,
    leave: (consumer) => void stands.delete(consumer),
    forget: () => {
      held = undefined;
      stands.clear();
    },
  };
};

/** Which of these lines are of interest: asked once for each organization and type among them. */
export const linesOfInterest = async (
  connection: Connection,
  lines: readonly FeedLine[],
  interest: FeedInterest,
): Promise<readonly FeedLine[]> => {
  const kindOf = (line: FeedLine) => `${organizationOf(line)} ${typeOf(line)}`;
  const kinds = [...new Map(lines.map((line) => [kindOf(line), line])).values()];
  if (kinds.length === 0) return [];
  const { rows } = await sql<{ kind: string }>`
    select e.organization_id || ' ' || e.type as kind
      from unnest(${kinds.map(organizationOf)}::text[], ${kinds.map(typeOf)}::text[]) as e (organization_id, type) where ${interest}`.execute(
    connection,
  );
  const wanted = new Set(rows.map(({ kind }) => kind));
  return wanted.size === 0 ? [] : lines.filter((line) => wanted.has(kindOf(line)));
};

const WHOLE = sql.join(['transaction_id', ...EVENT_NAMES].map((name) => sql.ref(`e.${name}`)));

/** The events of lines, in their order. Those of which no more than the leaf was read, all of them of actions and small, are read now. */
const eventsOf = async (connection: Connection, lines: readonly FeedLine[]): Promise<readonly FeedEvent[]> => {
  const unread = lines.filter(isLeafLine);
  if (unread.length === 0) return lines.map(asFeedEvent);
  const { rows } = await sql<EventRow & { readonly transaction_id: string }>`
    select ${WHOLE}
      from unnest(${unread.map(organizationOf)}::text[], ${unread.map((line) => positionOf(line).id)}::text[]) as asked (organization_id, id)
     cross join lateral (select * from audit_events e where e.organization_id = asked.organization_id and e.id = asked.id limit 1) as e`.execute(
    connection,
  );
  const read = new Map(rows.map((row) => [row.id, row]));
  return lines.flatMap((line) => {
    if (!isLeafLine(line)) return [asFeedEvent(line)];
    const row = read.get(positionOf(line).id);
    // It was removed since, as it may be before it is read.
    return row === undefined ? [] : [ofRow(row)];
  });
};

/** The same as `readFeed` tells, out of the window where it lies there. */
export const readThrough =
  (window: FeedWindow, consumer: string) =>
  async (connection: Connection, question: FeedQuestion): Promise<FeedPage> => {
    const { after, interest, limit } = question;
    const page = await window.linesAfter(connection, consumer, after, interest === undefined ? limit : LIMITS.feed.readAtOnceMax);
    if (page === undefined) return await readFeed(connection, question);
    const { lines, ...stands } = page;
    const wanted = interest === undefined ? lines : await linesOfInterest(connection, lines, interest);
    const taken = wanted.slice(0, limit);
    const events = await eventsOf(connection, taken);
    const last = taken.at(-1);
    return last !== undefined && wanted.length > limit ? { events, reached: positionOf(last), isFull: true } : { ...stands, events };
  };

/** The same as `readLeaves` tells. */
export const leavesThrough =
  (window: FeedWindow, consumer: string) =>
  async (connection: Connection, question: Omit<FeedQuestion, 'interest'>): Promise<FeedPage<FeedLeaf>> => {
    const page = await window.linesAfter(connection, consumer, question.after, question.limit);
    if (page === undefined) return await readLeaves(connection, question);
    const { lines, ...stands } = page;
    return { ...stands, events: lines.map(asFeedLeaf) };
  };
