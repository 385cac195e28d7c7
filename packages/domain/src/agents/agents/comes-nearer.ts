/** Whether an agent would end sooner than it does: an end where it had none, or an earlier one. Null is none; undefined leaves it as it is. */
export const comesNearer = (before: string | null, after: string | null | undefined): boolean =>
  after !== null && after !== undefined && (before === null || Date.parse(after) < Date.parse(before));
