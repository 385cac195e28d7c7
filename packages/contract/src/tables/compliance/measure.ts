import type { PERMISSIONS } from '../permissions.ts';

/** Request of the control plane that shows an auditor what was counted, with the permission it needs. */
export type EvidenceQuery = {
  readonly path: `/v1/${string}`;
  readonly permission: keyof typeof PERMISSIONS;
  readonly query?: Readonly<Record<string, string>>;
  /** True if it takes the period as `from` and `to`. */
  readonly inPeriod?: true;
};

/** A question about configuration or recorded facts, answered by two counts: the total, and how many satisfy it. */
export type Measure = {
  /** Counted items, and the condition that each must satisfy. */
  readonly asks: string;
  /** Current state, or what was recorded in the period. */
  readonly of: 'NOW' | 'PERIOD';
  /** Shares from which it is met, or partly met; or the required number, of which some are a part. Anything below is not met. */
  readonly needs: { readonly metShare: number; readonly partialShare: number } | { readonly count: number };
  /** Result if there are none to count. In a period without events nothing is shown. */
  readonly ifNone: 'NOT_MET' | 'NOT_APPLICABLE';
  /** Remedy if it is not met. */
  readonly lacking: string;
  readonly evidence: readonly EvidenceQuery[];
};
