import type { ControlState } from '@svc/contract/tables/compliance/controls.ts';
import type { MeasureDefinition } from '@svc/contract/tables/compliance/measure.ts';

/** The counts of a measure. */
export type MeasureCounts = {
  readonly fulfilled: number;
  readonly counted: number;
  /** Rows of a period are sampled over all of it; of current rows the newest are read. */
  readonly looked_at: 'ALL' | 'SAMPLE' | 'NEWEST';
};

const byShare = (
  { fulfilled, counted }: MeasureCounts,
  { metShare, partialShare }: { metShare: number; partialShare: number },
): ControlState => {
  if (fulfilled >= counted * metShare) return 'MET';
  return fulfilled > 0 && fulfilled >= counted * partialShare ? 'PARTIAL' : 'NOT_MET';
};

const byCount = ({ fulfilled }: MeasureCounts, needed: number): ControlState => {
  if (fulfilled >= needed) return 'MET';
  return fulfilled > 0 ? 'PARTIAL' : 'NOT_MET';
};

/** Judges counts. No rows prove nothing, and a partial read is never met. */
export const judgeMeasure = ({ needs, ifNone }: Pick<MeasureDefinition, 'needs' | 'ifNone'>, counts: MeasureCounts): ControlState => {
  if ('count' in needs) return byCount(counts, needs.count);
  if (counts.counted === 0) return ifNone;
  const shown = byShare(counts, needs);
  return shown === 'MET' && counts.looked_at === 'NEWEST' ? 'PARTIAL' : shown;
};
