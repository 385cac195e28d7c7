import type { Metric as LibraryMetric } from 'prom-client';
import type { Metric } from './metric.ts';

export type OpenedMetrics = { readonly text: () => Promise<string> };

/** Converts a metric to the interface of the library, which knows only its own metrics by type. */
const asLibraryMetric = ({ name, help, type, samples }: Metric): LibraryMetric =>
  ({ name, get: async () => ({ name, help, type, aggregator: 'sum', values: samples() }) }) as unknown as LibraryMetric;

/**
 * Renders metrics in the text format of Prometheus, with those of the process: processor time, memory, garbage collection, event-loop
 * delay.
 * The counters are not the library's, which would cost microseconds per decision; without scrapes it is not even loaded.
 */
export const openMetrics = async (metrics: readonly Metric[]): Promise<OpenedMetrics> => {
  const { collectDefaultMetrics, Registry } = await import('prom-client');
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const metric of metrics) registry.registerMetric(asLibraryMetric(metric));
  return { text: () => registry.metrics() };
};
