/** One line of a metric. `metricName` where it is not the metric's own, as in the buckets of a histogram. */
export type Sample = {
  readonly metricName?: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
};

/**
 * A metric of Prometheus. Its samples are made when somebody asks, so that nothing is kept but numbers. Labels are words of closed lists,
 * never anything that a caller gives: nobody outside makes series.
 */
export type Metric = {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly samples: () => readonly Sample[];
};

/** What stands at some number now, told apart by one label; looked up when somebody asks. */
export const newGauge = (name: string, help: string, label: string, read: () => Readonly<Record<string, number>>): Metric => ({
  name,
  help,
  type: 'gauge',
  samples: () => Object.entries(read()).map(([word, value]) => ({ labels: { [label]: word }, value })),
});
