import { CHUNK_LEAVES } from '@svc/domain/events/audit-searches/bloom-positions.ts';
import { type RawBuilder, sql } from 'kysely';
import { EVENT_NAMES, type StoredEventRow } from '../../audit/as-audit-event.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import type { SearchChunk } from './read-chunks.ts';

export type ChunkLook = {
  readonly organizationId: string;
  readonly filters: readonly RawBuilder<boolean>[];
  readonly from: string;
  readonly below: string;
  readonly wanted: number;
};

const namesOf = sql.join(EVENT_NAMES.map((name) => sql.ref(name)));

/** Returns matching events of some chunks, the newest first, up to the requested number. */
export const lookInChunks = async (
  tx: TenantTransaction,
  chunks: readonly SearchChunk[],
  { organizationId, filters, from, below, wanted }: ChunkLook,
): Promise<readonly StoredEventRow[]> => {
  const [lowest = from] = chunks.map(({ first }) => first).sort();
  const highest =
    chunks
      .map(({ last }) => last)
      .sort()
      .at(-1) ?? below;
  const firsts = chunks.map(({ leaf }) => leaf);
  const { rows } = await sql<StoredEventRow>`
    select ${namesOf} from audit_events
     where organization_id = ${organizationId} and id = any(array(
             select l.event_id from unnest(${firsts}::bigint[], ${firsts.map((leaf) => leaf + CHUNK_LEAVES)}::bigint[]) as chunk (leaf, beyond), audit_leaves l
              where l.organization_id = ${organizationId} and l.leaf_index >= leaf and l.leaf_index < beyond))
       and id < ${below} and id >= ${lowest > from ? lowest : from} and id <= ${highest}
       and ${sql.join([sql`true`, ...filters], sql` and `)}
     order by id desc limit ${wanted}`.execute(tx);
  return rows;
};
