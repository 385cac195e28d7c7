import type { SettingsReader } from '../settings/read-settings.ts';
import { type MetricsAddress, readMetricsAddress } from './serve-metrics.ts';

/** Where a program tells its metrics, by the setting of that name; undefined when it is not set. */
export const readMetricsSetting = (read: SettingsReader, name: string): MetricsAddress | undefined => {
  const given = read.optional(name);
  const address = given === undefined ? undefined : readMetricsAddress(given);
  if (given !== undefined && address === undefined)
    read.fault(`${name} is "${given}", but must be an address to listen on, such as 127.0.0.1:9464.`);
  return address;
};
