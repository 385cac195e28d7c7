import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { SelectQueryBuilder } from 'kysely';
import type { TenantTransaction } from '../connection/in-tenant.ts';

export type ListedPart = { readonly limit: number; readonly offset: number };

/** A part of a list, and if the list continues. `total` is exact up to `LIMITS.pages.countedMax`; one more means that there are more. */
export type Listed<Row> = { readonly rows: Row[]; readonly total: number; readonly hasMore: boolean };

/** Counts the rows of an unordered query, up to a maximum: counting further costs time, and no one reads that far. */
export const countUpTo = async (
  tx: TenantTransaction,
  // biome-ignore lint/suspicious/noExplicitAny: rows of any selection are only counted
  found: SelectQueryBuilder<any, any, any>,
  max: number,
): Promise<number> => {
  const { total } = await tx
    .selectFrom(found.limit(max).as('found'))
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return total;
};

/**
 * Reads a part of a list with one row more than it holds, to detect another page. Counts only if the part does not
 * show the total: a list that fits on one page costs one query.
 */
export const listed = async <Row>(
  { limit, offset }: ListedPart,
  read: (part: ListedPart) => Promise<Row[]>,
  count: (max: number) => Promise<number>,
): Promise<Listed<Row>> => {
  const found = await read({ limit: limit + 1, offset });
  const hasMore = found.length > limit;
  const max = LIMITS.pages.countedMax + 1;
  const isAtItsEnd = !hasMore && (found.length > 0 || offset === 0);
  const total = isAtItsEnd ? Math.min(offset + found.length, max) : await count(max);
  return { rows: found.slice(0, limit), total, hasMore };
};
