import type { Counts } from './judge-measure.ts';

/** What a verification told, as its event says it; the newest first. */
export type ToldVerification = {
  readonly intact: boolean;
  readonly from_sequence: number;
  readonly to_sequence: number;
  readonly tree_size: number;
};

/**
 * How much of the log the verifications of a period looked at together, of what it had when the last was made: one may look at a part.
 * Anything found wrong in any of them leaves nothing verified, since what lies behind it may be no less wrong.
 */
export const verifiedLeaves = (told: readonly ToldVerification[]): Counts => {
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
