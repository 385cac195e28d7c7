import type { MeasureCounts } from './judge-measure.ts';

/** The result of a verification, as in its event; the newest first. */
export type ReportedVerification = {
  readonly intact: boolean;
  readonly from_sequence: number;
  readonly to_sequence: number;
  readonly tree_size: number;
};

/**
 * Returns how much of the log the verifications of a period covered together, relative to the log at the last one: one may cover a part.
 * Any fault found leaves nothing verified, since the rest may be wrong too.
 */
export const verifiedLeaves = (told: readonly ReportedVerification[]): MeasureCounts => {
  const counted = told[0]?.tree_size ?? 0;
  if (told.some(({ intact }) => !intact)) return { fulfilled: 0, counted: Math.max(1, counted), looked_at: 'ALL' };
  const stretches = [...told].sort((a, b) => a.from_sequence - b.from_sequence);
  let [fulfilled, reached] = [0, 0];
  for (const { from_sequence, to_sequence } of stretches) {
    const to = Math.min(to_sequence, counted);
    if (to <= reached) continue;
    fulfilled += to - Math.max(from_sequence, reached);
    reached = to;
  }
  return { fulfilled: Math.max(0, fulfilled), counted, looked_at: 'ALL' };
};
