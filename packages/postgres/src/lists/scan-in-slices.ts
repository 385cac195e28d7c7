import { LIMITS } from '@svc/contract/tables/limits.ts';

/** What one statement looks at: below an identifier, so many rows at most, of which so many that fit are wanted. */
export type Slice = { readonly after: string | undefined; readonly lookAt: number; readonly wanted: number };

/** Rows of a slice that fit and, when there were as many as it looks at, its last one, whether that fits or not. */
export type Looked<Row> = { readonly fitting: readonly Row[]; readonly last: string | undefined };

export type Found<Row> = {
  /** Newest first, at most one more than the page holds. */
  readonly rows: Row[];
  /** The last row looked at, when there are more that were not. */
  readonly stoppedAt: string | undefined;
};

/** Rows that a page looks at in any case. */
export const LOOK_AT_FIRST = 1_000;
/** However quick the first ones were: the next may not be in memory. */
const LOOK_AT_MAX = 20_000;

/**
 * Looks through rows, newest first, for a page of those that fit. It begins with few, goes on with as many as fit into the time that is left,
 * and stops when that is over: a filter that fits few of very many is answered, and gone on with, in good time.
 */
export const scanInSlices = async <Row>(
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
  look: (slice: Slice) => Promise<Looked<Row>>,
): Promise<Found<Row>> => {
  const begun = performance.now();
  const rows: Row[] = [];
  let unseen: number = LIMITS.database.searchPageRowsMax;
  let slice: Slice = { after, lookAt: LOOK_AT_FIRST, wanted: limit + 1 };
  for (;;) {
    const sliceBegun = performance.now();
    const { fitting, last } = await look(slice);
    rows.push(...fitting);
    if (rows.length > limit || last === undefined) return { rows, stoppedAt: undefined };
    const now = performance.now();
    const left = LIMITS.database.searchPageMs - (now - begun);
    unseen -= slice.lookAt;
    const affordable = Math.min(unseen, Math.floor((slice.lookAt * left) / Math.max(now - sliceBegun, 1)));
    if (affordable < LOOK_AT_FIRST) return { rows, stoppedAt: last };
    slice = { after: last, lookAt: Math.min(affordable, 4 * slice.lookAt, LOOK_AT_MAX), wanted: limit + 1 - rows.length };
  }
};
