import {
  BLOCK_BYTES,
  type BloomPlace,
  CHUNK_LEAVES,
  ROW_BYTES,
  SEGMENT_CHUNKS,
  SEGMENT_LEAVES,
} from '@svc/domain/events/audit-searches/bloom-positions.ts';
import { type RawBuilder, sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

/** A chunk that may match: its first leaf, and the range of its events' identifiers. */
export type SearchChunk = { readonly leaf: number; readonly first: string; readonly last: string };

export type ChunkQuestion = {
  readonly organizationId: string;
  readonly places: readonly (readonly BloomPlace[])[];
  /** Identifiers between which events are looked for: from the first, to below the second. */
  readonly from: string;
  readonly below: string;
  /** Only segments that end below it; those above were read before. */
  readonly segmentsBelow: string | undefined;
};

/** Maximum number of candidate segments per statement. */
const SEGMENTS_MAX = 16;
const NOTHING = sql.raw(`B'${'0'.repeat(SEGMENT_CHUNKS)}'`);

const row = (n: number): RawBuilder<string> =>
  sql`('x' || encode(substring(b from ${sql.lit(n * ROW_BYTES + 1)} for ${sql.lit(ROW_BYTES)}), 'hex'))::bit(${sql.lit(SEGMENT_CHUNKS)})`;

/** Returns the chunks with all bits of a hash: one read of a block. */
const held = ({ block, rows }: BloomPlace): RawBuilder<string> => sql`
  (select ${sql.join(rows.map(row), sql` & `)}
     from (select substring(s.bits from (${sql.lit(block)}::bigint % s.blocks)::integer * ${sql.lit(BLOCK_BYTES)} + 1 for ${sql.lit(BLOCK_BYTES)}) as b offset 0) as block)`;

const holdsAny = (places: readonly BloomPlace[]): RawBuilder<string> => sql`(${sql.join(places.map(held), sql` | `)})`;

type Row = { readonly segment_last: string; readonly leaf: number | null; readonly first: string; readonly last: string };

/** Returns candidate chunks, the newest segments first, and the identifier below which unread segments end. */
export const readChunks = async (
  tx: TenantTransaction,
  { organizationId, places, from, below, segmentsBelow }: ChunkQuestion,
): Promise<{ readonly chunks: readonly SearchChunk[]; readonly unreadBelow: string | undefined }> => {
  const { rows } = await sql<Row>`
    select segment_last, leaf, first, last
      from (select * from (
              select segment, first_ids, last_ids, last_id as segment_last,
                     (${sql.join(places.map(holdsAny), sql` & `)}) | full_chunks as chunks
                from audit_search_segments s
               where organization_id = ${organizationId} and ${segmentsBelow === undefined ? sql`true` : sql`last_id < ${segmentsBelow}`} and last_id > '' and last_id >= ${from} and first_id < ${below}
               order by last_id desc offset 0) as summed
            where chunks <> ${NOTHING} limit ${sql.lit(SEGMENTS_MAX)}) as fitting
      left join lateral (
        select segment * ${sql.lit(SEGMENT_LEAVES)} + at * ${sql.lit(CHUNK_LEAVES)} as leaf, first_ids[at + 1] as first, last_ids[at + 1] as last
          from generate_series(0, ${sql.lit(SEGMENT_CHUNKS - 1)}) as at
         where get_bit(chunks, at) = 1 and first_ids[at + 1] < ${below} and last_ids[at + 1] >= ${from}) as chunk on true`.execute(tx);
  const segments = new Set(rows.map(({ segment_last }) => segment_last));
  const unreadBelow = segments.size < SEGMENTS_MAX ? undefined : [...segments].sort()[0];
  return { chunks: rows.flatMap(({ leaf, first, last }) => (leaf === null ? [] : [{ leaf, first, last }])), unreadBelow };
};
