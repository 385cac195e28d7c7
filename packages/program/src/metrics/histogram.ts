import type { Metric, MetricSample } from './metric.ts';

/** A histogram metric with one label whose values are known beforehand. Observing allocates nothing. */
export type Histogram<Value extends string> = {
  readonly observe: (value: Value, amount: number) => void;
  readonly metric: Metric;
};

type Series = { readonly counts: Float64Array; sum: number };

const listSamples = (name: string, labels: Readonly<Record<string, string>>, bounds: readonly number[], series: Series): MetricSample[] => {
  let total = 0;
  const buckets = [...bounds, Number.POSITIVE_INFINITY].map((bound, index) => {
    total += series.counts[index] ?? 0;
    const le = bound === Number.POSITIVE_INFINITY ? '+Inf' : bound;
    return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: total };
  });
  return [...buckets, { metricName: `${name}_sum`, labels, value: series.sum }, { metricName: `${name}_count`, labels, value: total }];
};

export type HistogramTerms<Value extends string> = {
  readonly name: string;
  readonly help: string;
  readonly label: string;
  readonly values: readonly Value[];
  /** Upper bounds of the buckets, ascending. */
  readonly bounds: readonly number[];
  /** Leaves out label values without observations, for labels with many values of which few are used. */
  readonly skipsUnused?: boolean;
};

export const newHistogram = <const Value extends string>(terms: HistogramTerms<Value>): Histogram<Value> => {
  const { name, help, label, values, bounds, skipsUnused = false } = terms;
  const all = new Map<Value, Series>(values.map((value) => [value, { counts: new Float64Array(bounds.length + 1), sum: 0 }]));
  const isUsed = ({ counts }: Series): boolean => !skipsUnused || counts.some((count) => count > 0);
  return {
    observe: (value, amount) => {
      const series = all.get(value);
      if (series === undefined) return;
      let index = 0;
      while (index < bounds.length && amount > (bounds[index] as number)) index += 1;
      series.counts[index] = (series.counts[index] as number) + 1;
      series.sum += amount;
    },
    metric: {
      name,
      help,
      type: 'histogram',
      samples: () => [...all].flatMap(([value, series]) => (isUsed(series) ? listSamples(name, { [label]: value }, bounds, series) : [])),
    },
  };
};
