import type { Metric } from './metric.ts';

/** A counter metric with one label whose values are known beforehand. Counting costs one look-up. */
export type Counter<Value extends string> = {
  readonly count: (value: Value, more?: number) => void;
  /** Contains every label value, from the start: a missing series cannot be distinguished from a lost one. */
  readonly metric: Metric;
};

export const newCounter = <const Value extends string>(
  name: string,
  help: string,
  label: string,
  values: readonly Value[],
): Counter<Value> => {
  const counts = new Map<Value, number>(values.map((value) => [value, 0]));
  return {
    count: (value, more = 1) => void counts.set(value, (counts.get(value) ?? 0) + more),
    metric: {
      name,
      help,
      type: 'counter',
      samples: () => [...counts].map(([value, count]) => ({ labels: { [label]: value }, value: count })),
    },
  };
};
