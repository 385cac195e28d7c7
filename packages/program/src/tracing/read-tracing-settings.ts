import { LIMITS, SETTINGS } from '@svc/contract/tables/limits.ts';
import type { SettingsReader } from '../settings/read-settings.ts';

export type TracingSettings = {
  readonly serviceName: string;
  /** Spans that wait for the collector; what finds no room is dropped. */
  readonly queuedMax: number;
  readonly everyMs: number;
};

/** By the names that OpenTelemetry gives them; undefined, and nothing is traced, without an address of a collector. */
export const readTracingSettings = (read: SettingsReader, serviceName: string): TracingSettings | undefined => {
  const { queuedMax, everyMs } = LIMITS.tracing;
  const endpoint = read.address(SETTINGS.otlpEndpoint);
  if (endpoint !== undefined && !/^https?:$/.test(new URL(endpoint).protocol))
    read.fault(`${SETTINGS.otlpEndpoint} must be an http or https address, such as http://127.0.0.1:4318.`);
  const settings: TracingSettings = {
    serviceName: read.text(SETTINGS.otlpServiceName, serviceName),
    queuedMax: read.integer(SETTINGS.otlpQueueMax, queuedMax, 1, 65_536),
    everyMs: read.integer(SETTINGS.otlpDelayMs, everyMs, 10, 60_000),
  };
  return endpoint === undefined || read.flag(SETTINGS.otlpDisabled, false) ? undefined : settings;
};
