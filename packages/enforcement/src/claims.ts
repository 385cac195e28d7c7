import type { ErrorCode } from '@svc/contract/errors.ts';

/**
 * One counted use. It is checked and taken in the statement that records the decision; when it does not fit, nothing is taken and the
 * decision is made again as a refusal. Windows slide: what is taken now frees exactly `window_seconds` from now.
 */
export type Claim = {
  /** What is counted on, unique in the organization: 'delegation:<id>', 'limit:<policy id>:<rule id>:<agent id, or that of the root principal>'. */
  readonly counter: string;
  /** Null: for the life of the counter. */
  readonly window_seconds: number | null;
  readonly max_calls: number | null;
  /** Minor units of `currency`. */
  readonly max_amount: number | null;
  readonly currency: string | null;
  /** Of this request, in minor units of `currency`; 0 when it has none. */
  readonly amount: number;
  /** What refuses when it does not fit. */
  readonly code: ErrorCode;
  /** The words for the reason. */
  readonly label: string;
  /** What the ceiling belongs to, for the details of the refusal: ids by their wire names. */
  readonly source?: Readonly<Record<string, string>>;
};

/** A claim that did not fit. Both times are null when it never will, as an amount beyond the whole ceiling. */
export type LostClaim = {
  readonly claim: Claim;
  readonly bound: 'max_calls' | 'max_amount';
  /** ISO-8601 UTC: when as much has left the window as the claim needs, if nothing else is taken meanwhile. */
  readonly frees_at: string | null;
  readonly retry_after_seconds: number | null;
};

/** How the refusal of a claim that did not fit tells what was asked for and when to ask again. */
export const lostDetails = ({ claim, bound, frees_at, retry_after_seconds }: LostClaim): Readonly<Record<string, unknown>> => ({
  limit: {
    ...claim.source,
    ...(bound === 'max_calls' ? { max_calls: claim.max_calls } : { max_amount: claim.max_amount, currency: claim.currency }),
    window_seconds: claim.window_seconds,
  },
  requested: bound === 'max_calls' ? 1 : claim.amount,
  frees_at,
  ...(retry_after_seconds === null ? {} : { retry_after_seconds }),
});
