/** Code if there is no capacity: a limit of a rule, or a ceiling of a delegation. */
export type ClaimCode = 'VELOCITY_LIMIT_EXCEEDED' | 'AUTHORITY_EXCEEDED';

/**
 * One counted use. It is checked and taken in the statement that records the decision; if it does not fit, nothing is taken and the
 * decision is made again as a refusal. Windows slide: a use frees its share exactly `window_seconds` later.
 */
export type Claim = {
  /**
   * Name of the counter, unique in the organization: 'delegation:<id>', 'limit:<policy id>:<rule id>:<agent id, or that of the root
   * principal>'.
   */
  readonly counter: string;
  /** Null: for the lifetime of the counter. */
  readonly window_seconds: number | null;
  readonly max_calls: number | null;
  /** Minor units of `currency`. */
  readonly max_amount: number | null;
  readonly currency: string | null;
  /** Amount of this request in minor units of `currency`; 0 if it has none. */
  readonly amount: number;
  /** Code of the refusal if it does not fit. */
  readonly code: ClaimCode;
  /** Words for the reason. */
  readonly label: string;
  /** Owner of the ceiling for the details of the refusal: ids by their wire names. */
  readonly source?: Readonly<Record<string, string>>;
};

/** Returns the number of counters that claims use: calls and amounts are counted separately. */
export const getCounters = (claims: readonly Claim[]): number =>
  claims.reduce((sum, { max_calls, max_amount }) => sum + (max_calls === null ? 0 : 1) + (max_amount === null ? 0 : 1), 0);

/** A claim that did not fit. Both times are null if it never will, like an amount beyond the whole ceiling. */
export type LostClaim = {
  readonly claim: Claim;
  readonly bound: 'max_calls' | 'max_amount';
  /** ISO-8601 UTC: when enough has left the window for the claim, if nothing else is taken meanwhile. */
  readonly frees_at: string | null;
  readonly retry_after_seconds: number | null;
};

/** Returns the last of the lost claims that is among these claims. */
export const getLostAmong = (lost: readonly LostClaim[] | undefined, claims: readonly Claim[]): LostClaim | undefined =>
  lost?.findLast(({ claim }) => claims.some(({ counter }) => counter === claim.counter));

const getBound = ({ claim, bound }: LostClaim) =>
  bound === 'max_calls' ? { max_calls: claim.max_calls } : { max_amount: claim.max_amount, currency: claim.currency };

const askedOf = ({ claim, bound }: LostClaim): number => (bound === 'max_calls' ? 1 : claim.amount);

/**
 * Returns the same details for a ceiling of a delegation, in the shape of other authority refusals. `delegationId` is the delegation of the
 * request.
 */
export const getLostCeilingDetails = (lost: LostClaim, capability: string, delegationId: string): Readonly<Record<string, unknown>> => ({
  capability,
  delegation_id: delegationId,
  at: lost.claim.source?.delegation_id ?? null,
  field: `ceiling.${lost.bound}`,
  ceiling: { ...getBound(lost), window_seconds: lost.claim.window_seconds },
  requested: lost.bound === 'max_calls' ? 1 : { amount: lost.claim.amount, currency: lost.claim.currency },
  frees_at: lost.frees_at,
  ...(lost.retry_after_seconds === null ? {} : { retry_after_seconds: lost.retry_after_seconds }),
});

/** Returns the details of a lost claim: the requested amount, and when to retry. */
export const getLostDetails = (lost: LostClaim): Readonly<Record<string, unknown>> => ({
  limit: { ...lost.claim.source, ...getBound(lost), window_seconds: lost.claim.window_seconds },
  requested: askedOf(lost),
  frees_at: lost.frees_at,
  ...(lost.retry_after_seconds === null ? {} : { retry_after_seconds: lost.retry_after_seconds }),
});
