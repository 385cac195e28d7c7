/** One line of a metric. `metricName` if it is not the metric's own, as in the buckets of a histogram. */
export type MetricSample = {
  readonly metricName?: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
};

/**
 * A Prometheus metric. Its samples are computed at each scrape, so that only numbers are stored. Labels come from closed lists, never from
 * a
 * caller's input: no client can create series.
 */
export type Metric = {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly samples: () => readonly MetricSample[];
};

/** Creates a gauge with one label; its values are read at each scrape. */
export const newGauge = (name: string, help: string, label: string, read: () => Readonly<Record<string, number>>): Metric => ({
  name,
  help,
  type: 'gauge',
  samples: () => Object.entries(read()).map(([word, value]) => ({ labels: { [label]: word }, value })),
});
