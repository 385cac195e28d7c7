import type { Metric as LibraryMetric } from 'prom-client';
import type { Metric } from './metric.ts';

export type OpenedMetrics = { readonly text: () => Promise<string> };

/** As the library asks for it; it knows no metrics but its own by type. */
const asLibraryMetric = ({ name, help, type, samples }: Metric): LibraryMetric =>
  ({ name, get: async () => ({ name, help, type, aggregator: 'sum', values: samples() }) }) as unknown as LibraryMetric;

/**
 * Metrics in the text format of Prometheus, with those of the process besides: processor time, memory, garbage collection, delay of the
 * event loop. What counts is not the library's, which would cost microseconds for each decision; it is not even loaded where nobody asks.
 */
export const openMetrics = async (metrics: readonly Metric[]): Promise<OpenedMetrics> => {
  const { collectDefaultMetrics, Registry } = await import('prom-client');
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const metric of metrics) registry.registerMetric(asLibraryMetric(metric));
  return { text: () => registry.metrics() };
};
