/** Returns true if an agent would expire sooner than now: a new expiry, or an earlier one. Null is none; undefined leaves it unchanged. */
export const comesNearer = (before: string | null, after: string | null | undefined): boolean =>
  after !== null && after !== undefined && (before === null || Date.parse(after) < Date.parse(before));
