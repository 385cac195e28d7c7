import type { AuthorityFault, Chain } from './delegation.ts';

const isWithin = (asked: string | null, bound: string | null): boolean =>
  bound === null || (asked !== null && Date.parse(asked) <= Date.parse(bound));

/** True if an expiry is later than another. Null never expires. */
export const isLater = (asked: string | null, current: string | null): boolean => !isWithin(asked, current);

/** Returns the nearest delegation above that expires before the requested time; empty if there is none. The chain is null for a root. */
export const findExpiryFaults = (above: Chain | null, asked: string | null): readonly AuthorityFault[] => {
  const bound = above?.findLast(({ expires_at }) => !isWithin(asked, expires_at));
  return bound === undefined ? [] : [{ field: 'expires_at', parent: bound.expires_at, asked }];
};
