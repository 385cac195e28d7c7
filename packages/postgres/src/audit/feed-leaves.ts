import { LIMITS } from '@svc/contract/tables/limits.ts';
import { sql } from 'kysely';
import type { Database } from '../connection/connect.ts';
import type { TenantTransaction } from '../connection/in-tenant.ts';
import { MARKS } from './feed-lines.ts';
import { type FeedPage, type FeedQuestion, type FeedRow, following, reachedPosition } from './read-feed.ts';

/**
 * The part of an event needed to seal it: its organization, type, the hash of its leaf if its writer set it, and its MAC if it has one;
 * both hex digits.
 */
export type FeedLeaf = FeedRow & { readonly type: string; readonly leaf_hash: string | null; readonly mac: string | null };

const NAMES = ['transaction_id', 'organization_id', 'id', 'type', 'leaf_hash', 'mac'] as const;
/** A hash of another length counts as missing. */
const HASH = sql.raw("case when octet_length(e.leaf_hash) = 32 then encode(e.leaf_hash, 'hex') end");

const MAC = sql.raw("encode(e.mac, 'hex')");

/** None of the columns holds anything that was written elsewhere, and so no mark. */
const LINE = sql.join(
  [...NAMES.slice(0, -2).map((name) => sql`e.${sql.ref(name)}::text`), sql`coalesce(${HASH}, '')`, sql`coalesce(${MAC}, '')`],
  sql` || ${sql.lit(MARKS.unit)} || `,
);

const getLeaf = ([
  transaction_id = '',
  organization_id = '',
  id = '',
  type = '',
  leaf_hash = '',
  mac = '',
]: readonly string[]): FeedLeaf => ({
  position: { transaction_id, id },
  organization_id,
  type,
  leaf_hash: leaf_hash === '' ? null : leaf_hash,
  mac: mac === '' ? null : mac,
});

type Told = { readonly horizon: string; readonly found: number; readonly leaves: string | null };
type Row = {
  readonly transaction_id: string;
  readonly organization_id: string;
  readonly id: string;
  readonly type: string;
  readonly hash: string | null;
  readonly mac: string | null;
};

/** Reads one row each: for events that were inserted by another writer and contain a separator. */
const readRows = async (database: Database | TenantTransaction, question: FeedQuestion, most: number): Promise<readonly FeedLeaf[]> => {
  const { rows } = await sql<Row>`
    select e.transaction_id, e.organization_id, e.id, e.type, ${HASH} as hash, ${MAC} as mac
      from (${following(question, NAMES, most)}) as e order by e.transaction_id, e.id`.execute(database);
  return rows.map(({ transaction_id, id, organization_id, type, hash, mac }) => ({
    position: { transaction_id, id },
    organization_id,
    type,
    leaf_hash: hash,
    mac,
  }));
};

/** Returns the events after a position, all in one text: few events of the total have to be read whole. */
export const readLeaves = async (
  database: Database | TenantTransaction,
  question: Omit<FeedQuestion, 'interest'>,
): Promise<FeedPage<FeedLeaf>> => {
  const most = Math.min(question.limit, LIMITS.feed.readAtOnceMax);
  const { rows } = await sql<Told>`
    select pg_snapshot_xmin(pg_current_snapshot())::text as horizon, count(*)::int as found,
           string_agg(${LINE}, ${sql.lit(MARKS.record)} order by e.transaction_id, e.id) as leaves
      from (${following(question, NAMES, most)}) as e`.execute(database);
  const [told] = rows;
  if (told === undefined) throw new Error('the feed returned no position');
  const lines = told.leaves?.split(MARKS.record).map((line) => line.split(MARKS.unit)) ?? [];
  const isCut = lines.length === told.found && lines.every(({ length }) => length === NAMES.length);
  // Settled events never change, so that a second read finds the same.
  const events = isCut ? lines.map(getLeaf) : await readRows(database, question, told.found);
  return { events, ...reachedPosition(question.after, most, told, { count: events.length, last: events.at(-1)?.position }) };
};
