import { type MetricsAddress, readMetricsAddress } from './serve-metrics.ts';

/** Returns the address of the metrics endpoint from its setting; undefined if it is not set. */
export const readMetricsSetting = (given: string | undefined): MetricsAddress | undefined =>
  given === undefined ? undefined : readMetricsAddress(given);
