import type { ErrorCode } from '@svc/contract/errors.ts';

/**
 * One counted use. It is checked and taken in the statement that records the decision; when it does not fit, nothing is taken and the
 * decision is made again as a refusal. Windows slide: what is taken now frees exactly `window_seconds` from now.
 */
export type Claim = {
  /** What is counted on, unique in the organization: 'delegation:<id>', 'limit:<policy id>:<rule id>:<agent id>'. */
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
};
