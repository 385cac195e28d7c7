import type { Metric } from './metric.ts';

/** A metric that only counts up, told apart by one label whose values are known beforehand. Counting costs one look-up. */
export type Counter<Value extends string> = {
  readonly count: (value: Value, more?: number) => void;
  /** Every value included: a series that is not there yet cannot be told from one that is lost. */
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
