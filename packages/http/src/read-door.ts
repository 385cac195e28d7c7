import { LIMITS } from '@svc/contract/limits.ts';
import type { SettingsReader } from './read-settings.ts';

export type ConnectionSettings = { readonly totalMax: number; readonly perAddressMax: number };

const RATE_MAX = 100_000_000;

/** A budget that many share grows with the one that each of them has, unless it is set itself. */
export const inProportion = (rate: number, raised: number): number => Math.min(RATE_MAX, Math.round(rate * Math.max(1, raised)));

/** What strangers may ask from one address; `raised` is by how much the budget of those who are known was raised. */
export const readAddressRate = (read: SettingsReader, raised: number): number =>
  read.integer('SVC_RATE_ADDRESS_PER_MINUTE', inProportion(LIMITS.rates.addressPerMinute, raised), 1, RATE_MAX);

/** How many connections a plane keeps open. */
export const readConnections = (read: SettingsReader): ConnectionSettings => ({
  totalMax: read.integer('SVC_CONNECTIONS', LIMITS.connections.totalMax, 16, 100_000),
  perAddressMax: read.integer('SVC_CONNECTIONS_PER_ADDRESS', LIMITS.connections.perAddressMax, 8, 100_000),
});
