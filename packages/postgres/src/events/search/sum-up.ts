import { LIMITS } from '@svc/contract/tables/limits.ts';
import { CHUNK_LEAVES, SEGMENT_LEAVES } from '@svc/domain/events/audit-searches/bloom-positions.ts';
import { type SearchableEvent, WHOLE_FILTERS } from '@svc/domain/events/audit-searches/filters.ts';
import type { SegmentBits } from '@svc/domain/events/audit-searches/new-signature.ts';
import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';

/** A stretch that a worker has to itself for a while. */
export type Due = { readonly organization_id: string; readonly leaves: number };

/** Takes the next range of an organization that has one, the longest waiting first; undefined if none has. */
export const takeDue = async (reader: Database): Promise<Due | undefined> => {
  const { rows } = await sql<Due>`
    insert into audit_search_marks (organization_id, leased_until)
    select t.organization_id, now() + ${LIMITS.search.leaseMs} * interval '1 millisecond'
      from audit_trees t join organizations o on o.id = t.organization_id left join audit_search_marks m on m.organization_id = t.organization_id
     where o.deletes_at is null and t.held_since is null and t.size - coalesce(m.leaves, 0) >= ${SEGMENT_LEAVES}
       and coalesce(m.leased_until, '-infinity') < now()
     order by m.leased_until nulls first limit 1
    on conflict (organization_id) do update set leased_until = excluded.leased_until where audit_search_marks.leased_until < now()
    returning organization_id, leaves`.execute(reader);
  return rows[0];
};

/** The searchable columns of the events of one chunk, and the range of their identifiers. */
export type ChunkToSum = {
  readonly chunk: number;
  readonly first: string;
  readonly last: string;
  readonly events: readonly SearchableEvent[];
};

/** Separators of events and of columns, which no stored text contains. */
const [RECORD, UNIT] = ['\u001e', '\u001f'];
const columns = sql.join([...WHOLE_FILTERS, 'subject_id'].map((name) => sql`coalesce(${sql.ref(`e.${name}`)}, '')`));

const VALUES = WHOLE_FILTERS.length + 1;

/** If the number of separators is wrong, some text contains one, and the record may have any content. */
const getEvent = (record: string): SearchableEvent => {
  const values = record.split(UNIT);
  const text = values.length === VALUES + 1 ? `${values[0]} ${values[VALUES - 1]} ${values[VALUES]}` : null;
  return { whole: values, text };
};

/**
 * Returns the chunks of a range that are read at once. Oversized events come without their text; removed ones are omitted. Each is
 * looked up by itself: that has one plan at every size of the tables, even with outdated statistics.
 */
export const readChunksToSum = async (reader: Database, { organization_id, leaves }: Due): Promise<readonly ChunkToSum[]> => {
  const { notedBytesMax, leavesAtOnceMax } = LIMITS.search;
  const { rows } = await sql<Omit<ChunkToSum, 'events'> & { readonly records: string }>`
    select (l.leaf_index - ${leaves}::bigint) / ${sql.lit(CHUNK_LEAVES)} as chunk, min(e.id) as first, max(e.id) as last,
           string_agg(concat_ws(${UNIT}, ${columns}, case when octet_length(e.data::text) <= ${notedBytesMax} then e.data::text end), ${RECORD}) as records
      from audit_leaves l
      cross join lateral (select * from audit_events e where e.organization_id = l.organization_id and e.id = l.event_id limit 1) as e
     where l.organization_id = ${organization_id} and l.leaf_index >= ${leaves} and l.leaf_index < ${leaves + leavesAtOnceMax}
     group by 1`.execute(reader);
  return rows.map(({ records, ...chunk }) => ({ ...chunk, events: records.split(RECORD).map(getEvent) }));
};

/** The result of a range; without chunks if all of its events are gone. */
export type SearchSegment = SegmentBits & {
  readonly chunks: readonly { readonly first: string | null; readonly last: string | null }[];
};

/** The first missing segment from one on, of a row `m` of the marks: the next range is summed up where one is missing. */
const firstMissing = (from: number) => sql`
  (select min(n) from (select ${from}::bigint union all
                       select segment + 1 from audit_search_segments s where s.organization_id = m.organization_id and segment >= ${from}) as next (n)
    where not exists (select from audit_search_segments s where s.organization_id = m.organization_id and s.segment = n))`;

/** Stores the segment of a range, which is then done; no effect if another process was faster. Without events it is empty. */
export const keepSegment = async (reader: Database, { organization_id, leaves }: Due, segment: SearchSegment): Promise<void> => {
  const firsts = segment.chunks.map(({ first }) => first);
  const lasts = segment.chunks.map(({ last }) => last);
  const [first] = firsts.filter((id) => id !== null).sort();
  const last = lasts
    .filter((id) => id !== null)
    .sort()
    .at(-1);
  await sql`
    with moved as (
      update audit_search_marks m set leaves = ${firstMissing(leaves / SEGMENT_LEAVES + 1)} * ${sql.lit(SEGMENT_LEAVES)}, leased_until = now()
       where organization_id = ${organization_id} and leaves = ${leaves} returning organization_id
    )
    insert into audit_search_segments (organization_id, segment, first_id, last_id, first_ids, last_ids, full_chunks, blocks, bits)
    select organization_id, ${leaves / SEGMENT_LEAVES}, ${first ?? ''}, ${last ?? ''}, ${firsts}::text[], ${lasts}::text[],
           ${segment.fullChunks}::bit(64), ${segment.blocks}, ${Buffer.from(segment.bits)} from moved
    on conflict (organization_id, segment) do nothing`.execute(reader);
};

/** Empties segments whose events are all gone. They stay, so that another missing one is noticed. */
export const sweepSegments = async (reader: Database): Promise<void> => {
  await sql`
    update audit_search_segments s set first_id = '', last_id = '', first_ids = '{}', last_ids = '{}', full_chunks = 0::bit(64), blocks = 1, bits = ''
      from (select organization_id, (select e.id from audit_events e where e.organization_id = m.organization_id order by e.id limit 1) as first
              from audit_search_marks m) as kept
     where s.organization_id = kept.organization_id and s.last_id > '' and (kept.first is null or s.last_id < kept.first)`.execute(reader);
};

/** Moves each mark to the first missing segment, from any position. */
export const putBackMarks = async (reader: Database): Promise<void> => {
  await sql`
    update audit_search_marks m set leaves = first.missing * ${sql.lit(SEGMENT_LEAVES)}
      from (select organization_id, ${firstMissing(0)} as missing from audit_search_marks m) as first
     where m.organization_id = first.organization_id and m.leaves <> first.missing * ${sql.lit(SEGMENT_LEAVES)} and m.leased_until < now()`.execute(
    reader,
  );
};
