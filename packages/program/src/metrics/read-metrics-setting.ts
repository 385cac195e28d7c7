import { type MetricsAddress, readMetricsAddress } from './serve-metrics.ts';

/** Where a program tells its metrics, by what its setting holds; undefined when it is not set. */
export const readMetricsSetting = (given: string | undefined): MetricsAddress | undefined =>
  given === undefined ? undefined : readMetricsAddress(given);
