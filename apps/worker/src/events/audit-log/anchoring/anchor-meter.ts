import type { AnchorState } from '@svc/postgres/audit/anchors/read-anchors.ts';
import type { Metric } from '@svc/program/metrics/metric.ts';
import type { Placed } from './anchor.ts';

type Count = { placed: number; failed: number; conflict: number; failingSinceMs: number | undefined; conflicts: number };

/** How the places outside do at which logs are anchored. */
export type AnchorMeter = {
  readonly came: (anchor: string, kind: Placed['kind']) => void;
  readonly stand: (states: readonly AnchorState[]) => void;
  readonly metrics: readonly Metric[];
};

export const newAnchorMeter = (anchors: readonly string[], nowMs: () => number): AnchorMeter => {
  const none = (): Count => ({ placed: 0, failed: 0, conflict: 0, failingSinceMs: undefined, conflicts: 0 });
  const counts = new Map<string, Count>(anchors.map((name) => [name, none()]));
  const gauge = (name: string, help: string, read: (count: Count) => number): Metric => ({
    name,
    help,
    type: 'gauge',
    samples: () => [...counts].map(([anchor, count]) => ({ labels: { anchor }, value: read(count) })),
  });
  const attempts: Metric = {
    name: 'svc_audit_anchors_total',
    help: 'Attempts of this process to anchor a log, by what came of them.',
    type: 'counter',
    samples: () =>
      [...counts].flatMap(([anchor, count]) =>
        (['placed', 'failed', 'conflict'] as const).map((outcome) => ({ labels: { anchor, outcome }, value: count[outcome] })),
      ),
  };
  return {
    came: (anchor, kind) => {
      const count = counts.get(anchor);
      if (count !== undefined) count[kind] += 1;
    },
    stand: (states) => {
      const told = new Map(states.map((state) => [state.anchor, state]));
      for (const [name, count] of counts) {
        const since = told.get(name)?.failing_since ?? null;
        count.failingSinceMs = since === null ? undefined : Date.parse(since);
        count.conflicts = told.get(name)?.conflicts ?? 0;
      }
    },
    metrics: [
      attempts,
      gauge('svc_audit_anchor_failing_seconds', 'How long the log that has waited longest could not be anchored.', ({ failingSinceMs }) =>
        failingSinceMs === undefined ? 0 : Math.max(0, nowMs() - failingSinceMs) / 1_000,
      ),
      gauge('svc_audit_anchor_conflicts', 'Logs of which the place knows another tree than is kept here.', ({ conflicts }) => conflicts),
    ],
  };
};
