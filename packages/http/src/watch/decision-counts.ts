import type { DecisionResult } from '@svc/enforcement/facts/watcher.ts';
import type { Metric } from '@svc/program/metrics/metric.ts';

export type DecisionCounter = { readonly count: (decision: DecisionResult) => void; readonly metric: Metric };

const NONE = 'none';

/**
 * Counts decisions by effect and code, both from closed lists; most pairs never occur, so only those that do are exported. The effect
 * `none` is a request on which no decision could be made.
 */
export const newDecisionCounts = (name: string): DecisionCounter => {
  const counts = new Map<string, Map<string, number>>();
  const samples = () => [...counts].flatMap(([effect, codes]) => [...codes].map(([code, value]) => ({ labels: { effect, code }, value })));
  const getCodes = (effect: string): Map<string, number> => {
    const known = counts.get(effect) ?? new Map<string, number>();
    counts.set(effect, known);
    return known;
  };
  return {
    count: ({ effect, code }) => {
      const codes = getCodes(effect ?? NONE);
      codes.set(code ?? NONE, (codes.get(code ?? NONE) ?? 0) + 1);
    },
    metric: { name, help: 'Decisions on actions, by effect and code.', type: 'counter', samples },
  };
};
