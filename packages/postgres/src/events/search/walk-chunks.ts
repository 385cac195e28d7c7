import type { StoredEventRow } from '../../audit/as-audit-event.ts';
import type { FoundPage } from '../../lists/scan-in-slices.ts';
import type { SearchChunk } from './read-chunks.ts';

/** The operations of a walk. */
export type ChunkReader = {
  readonly read: (
    segmentsBelow: string | undefined,
  ) => Promise<{ readonly chunks: readonly SearchChunk[]; readonly unreadBelow: string | undefined }>;
  readonly look: (chunks: readonly SearchChunk[], wanted: number) => Promise<readonly StoredEventRow[]>;
};

const LOOK_AT_FIRST = 8;
const LOOK_AT_MAX = 32;
/** Right above an identifier, and below every other one. */
const above = (id: string): string => `${id}0`;

const newestFirst = (a: string, b: string): number => {
  if (a === b) return 0;
  return a < b ? 1 : -1;
};

/**
 * Walks through chunks, newest first, for the newest matching rows. Chunks overlap after concurrent writes, so a row is certain
 * to be the next one only above all unread chunks. It stops at its deadline, but not before it has progressed.
 */
export const walkChunks = async (
  { read, look }: ChunkReader,
  { limit, below, isOver }: { readonly limit: number; readonly below: string; readonly isOver: () => boolean },
): Promise<FoundPage<StoredEventRow>> => {
  let { chunks, unreadBelow } = await read(undefined);
  let rows: StoredEventRow[] = [];
  for (let count = LOOK_AT_FIRST; ; count = Math.min(2 * count, LOOK_AT_MAX)) {
    if (chunks.length === 0 && unreadBelow !== undefined) ({ chunks, unreadBelow } = await read(unreadBelow));
    const sorted = [...chunks].sort((a, b) => newestFirst(a.last, b.last));
    if (sorted.length > 0) rows = [...rows, ...(await look(sorted.slice(0, count), limit + 1))].sort((a, b) => newestFirst(a.id, b.id));
    chunks = sorted.slice(count);
    const unseen = [chunks[0]?.last ?? [], unreadBelow ?? []].flat().sort(newestFirst)[0];
    if (unseen === undefined) return { rows: rows.slice(0, limit + 1), stoppedAt: undefined };
    const sure = rows.filter(({ id }) => id > unseen);
    if (sure.length > limit) return { rows: sure.slice(0, limit + 1), stoppedAt: undefined };
    if (isOver() && above(unseen) < below) return { rows: sure, stoppedAt: above(unseen) };
  }
};
