import type { PERMISSIONS } from '../permissions.ts';

/** Where an auditor sees what was counted: a request of the control plane, which whoever holds the permission may make. */
export type EvidenceQuery = {
  readonly path: `/v1/${string}`;
  readonly permission: keyof typeof PERMISSIONS;
  readonly query?: Readonly<Record<string, string>>;
  /** Whether it takes the period as `from` and `to`. */
  readonly inPeriod?: true;
};

/** A question put to configuration or to recorded facts, which is answered by two counts: how many there are, and how many of them do. */
export type Measure = {
  /** What is counted, and when one of them does. */
  readonly asks: string;
  /** As things stand now, or what was recorded in the period. */
  readonly of: 'NOW' | 'PERIOD';
  /**
   * From which share of them on it is met, and from which on in part; or how many there have to be, where fewer but some are a part.
   * What lies below is not met.
   */
  readonly needs: { readonly metShare: number; readonly partialShare: number } | { readonly count: number };
  /** What it is where there are none to count. In a period nothing that happened is nothing shown. */
  readonly ifNone: 'NOT_MET' | 'NOT_APPLICABLE';
  /** What has to be done where it is not met. */
  readonly lacking: string;
  readonly evidence: readonly EvidenceQuery[];
};
