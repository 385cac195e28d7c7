import { LIMITS } from '@svc/contract/tables/limits.ts';

/** The bounds of one statement: rows below an identifier, a maximum number read, and a number of matches wanted. */
export type Slice = { readonly after: string | undefined; readonly lookAt: number; readonly wanted: number };

/** The matching rows of a slice and, if it reached its maximum, its last row, matching or not. */
export type ScannedSlice<Row> = { readonly fitting: readonly Row[]; readonly last: string | undefined };

export type FoundPage<Row> = {
  /** Newest first, at most one more than the page holds. */
  readonly rows: Row[];
  /** The last row read, if there are unread ones. */
  readonly stoppedAt: string | undefined;
};

/** Minimum number of rows read per page. */
export const LOOK_AT_FIRST = 1_000;
/** However quick the first ones were: the next may not be in memory. */
const LOOK_AT_MAX = 20_000;

/**
 * Scans rows, newest first, for a page of matches. It begins with few, continues with as many as fit into the remaining time,
 * and stops at its deadline: a filter with few matches among very many rows gets a response, and can be continued, in time.
 */
export const scanInSlices = async <Row>(
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
  look: (slice: Slice) => Promise<ScannedSlice<Row>>,
): Promise<FoundPage<Row>> => {
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
