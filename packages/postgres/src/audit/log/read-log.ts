import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

export type KeptTreeRow = {
  readonly size: number;
  readonly root_hash: Buffer;
  readonly edge: Buffer;
  readonly checkpoint: string;
  readonly sealed_at: string;
  readonly held_since: string | null;
};

/**
 * Returns how far the events of an organization are sealed. No value that the owner of the database writes makes it throw; undefined before
 * the first seal.
 */
export const findTree = async (tx: TenantTransaction, organizationId: string): Promise<KeptTreeRow | undefined> => {
  const { rows } = await sql<KeptTreeRow>`
    select greatest(size, 0) as size, coalesce(root_hash, '') as root_hash, coalesce(edge, '') as edge, coalesce(checkpoint, '') as checkpoint,
           sealed_at, held_since
      from audit_trees where organization_id = ${organizationId}`.execute(tx);
  return rows[0];
};

export type CheckpointRow = { readonly size: number; readonly root_hash: Buffer; readonly note: string; readonly created_at: string };

/** Returns checkpoints of trees smaller than `below`, the largest first, the present one included if it qualifies. */
export const readCheckpoints = async (
  tx: TenantTransaction,
  organizationId: string,
  { below, limit }: { readonly below: number; readonly limit: number },
): Promise<readonly CheckpointRow[]> => {
  const { rows } = await sql<CheckpointRow>`
    select distinct on (size) size, root_hash, note, created_at from (
        select greatest(size, 0) as size, coalesce(root_hash, '') as root_hash, coalesce(checkpoint, '') as note, coalesce(sealed_at, 'epoch') as created_at from audit_trees where organization_id = ${organizationId} and size < ${below}
      union all
        (select greatest(size, 0), coalesce(root_hash, ''), coalesce(note, ''), coalesce(created_at, 'epoch') from audit_checkpoints where organization_id = ${organizationId} and size < ${below}
          order by size desc limit ${limit})) as both_kinds
     order by size desc, created_at limit ${limit}`.execute(tx);
  return rows;
};

/** A past checkpoint with its time in UTC to the microsecond. */
export type PastCheckpoint = CheckpointRow;

/** Past checkpoints below a size, the largest first. */
export const readPastCheckpoints = async (
  tx: TenantTransaction,
  organizationId: string,
  { below, limit }: { readonly below: number; readonly limit: number },
): Promise<readonly PastCheckpoint[]> => {
  const { rows } = await sql<PastCheckpoint>`
    select size, coalesce(root_hash, '') as root_hash, coalesce(note, '') as note,
           coalesce(to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), 'never') as created_at
      from audit_checkpoints where organization_id = ${organizationId} and size < ${below} order by size desc limit ${limit}`.execute(tx);
  return rows;
};

/** The leaf of an event; undefined while it is not sealed. */
export const findLeaf = (tx: TenantTransaction, organizationId: string, eventId: string) =>
  tx
    .selectFrom('audit_leaves')
    .select(['leaf_index', sql<Buffer>`coalesce(leaf_hash, '')`.as('leaf_hash')])
    .where('organization_id', '=', organizationId)
    .where('event_id', '=', eventId)
    .executeTakeFirst();

/** Hashes that lie side by side in one tile, whose level 0 are leaves. */
type Part = { readonly level: number; readonly from: number; readonly count: number };

const TILE_WIDTH = 256;
const HASH_BYTES = 32;

const readLeaves = async (tx: TenantTransaction, organizationId: string, parts: readonly Part[]): Promise<ReadonlyMap<number, Buffer>> => {
  if (parts.length === 0) return new Map();
  const { rows } = await sql<{ leaf_index: number; leaf_hash: Buffer }>`
    select l.leaf_index, coalesce(l.leaf_hash, '') as leaf_hash
      from unnest(${parts.map(({ from }) => from)}::bigint[], ${parts.map(({ from, count }) => from + count)}::bigint[]) as asked (first, beyond)
      join audit_leaves l on l.organization_id = ${organizationId} and l.leaf_index >= first and l.leaf_index < beyond`.execute(tx);
  return new Map(rows.map(({ leaf_index, leaf_hash }) => [leaf_index, leaf_hash]));
};

const tileKey = (level: number, tile: number): string => `${level}/${tile}`;

const readTiles = async (tx: TenantTransaction, organizationId: string, parts: readonly Part[]): Promise<ReadonlyMap<string, Buffer>> => {
  if (parts.length === 0) return new Map();
  const { rows } = await sql<{ level: number; tile: number; hashes: Buffer }>`
    select t.level, t.tile, coalesce(t.hashes, '') as hashes
      from (select distinct * from unnest(${parts.map(({ level }) => level)}::smallint[],
              ${parts.map(({ from }) => Math.floor(from / TILE_WIDTH))}::bigint[]) as asked (level, tile)) as asked
      join audit_tiles t on t.organization_id = ${organizationId} and t.level = asked.level and t.tile = asked.tile`.execute(tx);
  return new Map(rows.map(({ level, tile, hashes }) => [tileKey(level, tile), hashes]));
};

/** Returns the hashes of parts of tiles; fewer than requested if a part of the tree is missing or has another length than a hash. */
export const readParts = async (
  tx: TenantTransaction,
  organizationId: string,
  parts: readonly Part[],
): Promise<(part: Part) => readonly Buffer[]> => {
  const leaves = await readLeaves(
    tx,
    organizationId,
    parts.filter(({ level }) => level === 0),
  );
  const tiles = await readTiles(
    tx,
    organizationId,
    parts.filter(({ level }) => level > 0),
  );
  return ({ level, from, count }) => {
    const places = Array.from({ length: count }, (_, n) => from + n);
    if (level === 0) return places.flatMap((at) => leaves.get(at) ?? []).filter(({ length }) => length === HASH_BYTES);
    const hashes = tiles.get(tileKey(level, Math.floor(from / TILE_WIDTH))) ?? Buffer.alloc(0);
    return places
      .map((at) => hashes.subarray((at % TILE_WIDTH) * HASH_BYTES, ((at % TILE_WIDTH) + 1) * HASH_BYTES))
      .filter(({ length }) => length === HASH_BYTES);
  };
};
