import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type RawBuilder, sql } from 'kysely';
import type { TenantTransaction } from '../connection/in-tenant.ts';
import type { ListedPart } from './listed.ts';

/** Rows measured together: large values are compressed, and decompressed to measure them. */
const SLICE_ROWS = 25;

/**
 * Returns how many rows of a part of a list fit into one response if each may be large: up to the one that reaches the bound, and always
 * the
 * first. `bytesOf` selects the approximate `bytes` of each row of such a part, and its `place` in the list, the highest first.
 */
export const findFittingRows = async (
  tx: TenantTransaction,
  { limit, offset }: ListedPart,
  bytesOf: (part: ListedPart) => RawBuilder<unknown>,
): Promise<number> => {
  let bytes = 0;
  for (let at = 0; at < limit; at += SLICE_ROWS) {
    const slice = { limit: Math.min(SLICE_ROWS, limit - at), offset: offset + at };
    const { rows } = await sql<{ bytes: number }>`select bytes::float8 from (${bytesOf(slice)}) as part order by place desc`.execute(tx);
    for (const [index, row] of rows.entries()) {
      bytes += row.bytes;
      if (bytes >= LIMITS.pages.bytesMax) return at + index + 1;
    }
    if (rows.length < slice.limit) break;
  }
  return limit;
};
