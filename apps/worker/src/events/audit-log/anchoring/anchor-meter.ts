import type { Metric } from '@svc/program/metrics/metric.ts';
import type { AnchoredCheckpoint } from './anchor.ts';

const OUTCOMES = ['placed', 'failed', 'conflict'] as const satisfies readonly AnchoredCheckpoint['kind'][];

/** Counts the results of attempts to anchor logs. */
export type AnchorMeter = {
  readonly came: (anchor: string, kind: AnchoredCheckpoint['kind']) => void;
  readonly metrics: readonly Metric[];
};

export const newAnchorMeter = (anchors: readonly string[]): AnchorMeter => {
  const counts = new Map(anchors.map((name) => [name, { placed: 0, failed: 0, conflict: 0 }]));
  return {
    came: (anchor, kind) => {
      const count = counts.get(anchor);
      if (count !== undefined) count[kind] += 1;
    },
    metrics: [
      {
        name: 'svc_audit_anchors_total',
        help: 'Attempts of this process to anchor a log, by outcome.',
        type: 'counter',
        samples: () =>
          [...counts].flatMap(([anchor, count]) => OUTCOMES.map((outcome) => ({ labels: { anchor, outcome }, value: count[outcome] }))),
      },
    ],
  };
};
