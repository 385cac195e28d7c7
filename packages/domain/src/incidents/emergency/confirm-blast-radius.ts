const LEAST_MORE = 2;
const SHARE = 10;

/**
 * True if a confirmed number covers what would be stopped now. Fewer than confirmed is accepted, more is not; a number far above the present one
 * was not read from a preview.
 */
export const isConfirmed = (now: number, confirmed: number): boolean =>
  now <= confirmed && confirmed <= now + Math.max(LEAST_MORE, Math.floor(now / SHARE));
