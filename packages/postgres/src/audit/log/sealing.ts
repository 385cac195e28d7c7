import { sql } from 'kysely';
import { MARKS, marksBeside } from '../feed-lines.ts';
import type { FeedTransaction } from '../feed-positions.ts';

/** The stored tree of an organization. */
export type TreeRow = {
  readonly organization_id: string;
  readonly size: number;
  readonly root_hash: Buffer;
  readonly edge: Buffer;
  readonly checkpoint: string;
  readonly held_since: string | null;
};

/** Locks the trees of these organizations against other writers; missing ones are omitted. */
export const takeTrees = (tx: FeedTransaction, organizationIds: readonly string[]): Promise<readonly TreeRow[]> =>
  tx
    .selectFrom('audit_trees')
    .select(['organization_id', 'size', 'root_hash', 'edge', 'checkpoint', 'held_since'])
    .where('organization_id', 'in', organizationIds)
    .orderBy('organization_id')
    .forUpdate()
    .execute();

type Key = { readonly organization_id: string; readonly id: string };

/** Which of these events are leaves already, as after a restore: their ids. */
export const sealedAmong = async (tx: FeedTransaction, events: readonly Key[]): Promise<ReadonlySet<string>> => {
  if (events.length === 0) return new Set();
  const [organizations, ids] = [events.map(({ organization_id }) => organization_id), events.map(({ id }) => id)];
  const { rows } = await sql<{ event_id: string }>`
    select l.event_id from unnest(${organizations}::text[], ${ids}::text[]) as asked (organization_id, event_id)
      join audit_leaves l using (organization_id, event_id) join audit_trees t using (organization_id)
     where l.leaf_index >= 0 and l.leaf_index < t.size`.execute(tx);
  return new Set(rows.map(({ event_id }) => event_id));
};

/** A grown tree: its new leaves in order, the completed tile hashes, and its checkpoint. */
export type GrownTree = {
  readonly organization_id: string;
  readonly before: number;
  readonly size: number;
  readonly root: Buffer;
  readonly edge: Buffer;
  readonly checkpoint: string;
  /** The time of its signature, if it is kept; null if the next one replaces it. */
  readonly keptAt: string | null;
  readonly leaves: readonly { readonly event_id: string; readonly hash: Buffer }[];
  /** In the order of their positions. */
  readonly tiles: readonly { readonly level: number; readonly tile: number; readonly hashes: Buffer }[];
};

/** Returns a separator of identifiers that occurs in none of them. */
const markBeside = (ids: readonly string[]): string =>
  ids.some((id) => id.includes(MARKS.unit)) ? marksBeside(ids.join('')).unit : MARKS.unit;

/**
 * Writes all of them in two values, a text of identifiers for each tree and the hashes of all: an array of thousands is expensive to write
 * and to read.
 */
const insertLeaves = async (tx: FeedTransaction, trees: readonly GrownTree[]): Promise<void> => {
  const mark = markBeside(trees.flatMap(({ leaves }) => leaves.map(({ event_id }) => event_id)));
  let count = 0;
  const grown = trees.flatMap(({ organization_id, before, leaves }) => {
    const first = count;
    count += leaves.length;
    return leaves.length === 0 ? [] : [{ organization_id, before, first, ids: leaves.map(({ event_id }) => event_id).join(mark) }];
  });
  const hashes = Buffer.concat(trees.flatMap(({ leaves }) => leaves.map(({ hash }) => hash)));
  await sql`
    insert into audit_leaves (organization_id, leaf_index, event_id, leaf_hash)
    select organization_id, before + n - 1, event_id, substring(${hashes}::bytea from (first + n::integer - 1) * 32 + 1 for 32)
      from unnest(${grown.map((tree) => tree.organization_id)}::text[], ${grown.map((tree) => tree.before)}::bigint[],
                  ${grown.map((tree) => tree.first)}::integer[], ${grown.map((tree) => tree.ids)}::text[]) as tree (organization_id, before, first, ids)
     cross join lateral unnest(string_to_array(tree.ids, ${mark})) with ordinality as leaf (event_id, n)`.execute(tx);
};

const fillTiles = async (tx: FeedTransaction, trees: readonly GrownTree[]): Promise<void> => {
  const rows = trees.flatMap(({ organization_id, tiles }) => tiles.map((tile) => ({ organization_id, ...tile })));
  if (rows.length === 0) return;
  await sql`
    insert into audit_tiles (organization_id, level, tile, hashes)
    select * from unnest(${rows.map((row) => row.organization_id)}::text[], ${rows.map((row) => row.level)}::smallint[],
      ${rows.map((row) => row.tile)}::bigint[], ${rows.map((row) => row.hashes)}::bytea[])
    on conflict (organization_id, level, tile) do update set hashes = audit_tiles.hashes || excluded.hashes`.execute(tx);
};

const keepCheckpoints = async (tx: FeedTransaction, trees: readonly GrownTree[]): Promise<void> => {
  const columns = [
    sql`${trees.map((tree) => tree.organization_id)}::text[]`,
    sql`${trees.map((tree) => tree.size)}::bigint[]`,
    sql`${trees.map((tree) => tree.root)}::bytea[]`,
    sql`${trees.map((tree) => tree.checkpoint)}::text[]`,
  ];
  await sql`
    insert into audit_trees (organization_id, size, root_hash, edge, checkpoint)
    select * from unnest(${columns[0]}, ${columns[1]}, ${columns[2]}, ${trees.map((tree) => tree.edge)}::bytea[], ${columns[3]})
    on conflict (organization_id) do update set size = excluded.size, root_hash = excluded.root_hash, edge = excluded.edge,
      checkpoint = excluded.checkpoint, sealed_at = now(), held_since = null`.execute(tx);
  const kept = sql`${trees.map((tree) => tree.keptAt)}::timestamptz[]`;
  await sql`
    insert into audit_checkpoints (organization_id, size, root_hash, note, created_at)
    select given.* from unnest(${sql.join([...columns, kept])}) as given (organization_id, size, root_hash, note, kept_at) where kept_at is not null
    on conflict do nothing`.execute(tx);
};

/** Writes grown trees, and a history row if the checkpoint is kept. */
export const growTrees = async (tx: FeedTransaction, trees: readonly GrownTree[]): Promise<void> => {
  if (trees.length === 0) return;
  await insertLeaves(tx, trees);
  await fillTiles(tx, trees);
  await keepCheckpoints(tx, trees);
};

/** From now on nothing is sealed of this organization, whose tree is not what was signed. */
export const holdTree = async (tx: FeedTransaction, organizationId: string): Promise<void> => {
  await sql`update audit_trees set held_since = coalesce(held_since, now()) where organization_id = ${organizationId}`.execute(tx);
};
