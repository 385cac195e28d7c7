import { TRACING_LIMITS, WATCH_SETTINGS } from '@svc/contract/tables/watching.ts';
import type { SettingsReader } from '../settings/read-settings.ts';

export type TracingSettings = {
  readonly serviceName: string;
  /** Spans that wait for the collector; what finds no room is dropped. */
  readonly queuedMax: number;
  readonly everyMs: number;
};

/** By the names that OpenTelemetry gives them; undefined, and nothing is traced, without an address of a collector. */
export const readTracingSettings = (read: SettingsReader, serviceName: string): TracingSettings | undefined => {
  const { queuedMax, everyMs } = TRACING_LIMITS;
  const endpoint = read.address(WATCH_SETTINGS.endpoint);
  if (endpoint !== undefined && !/^https?:$/.test(new URL(endpoint).protocol))
    read.fault(`${WATCH_SETTINGS.endpoint} must be an http or https address, such as http://127.0.0.1:4318.`);
  const settings: TracingSettings = {
    serviceName: read.text(WATCH_SETTINGS.serviceName, serviceName),
    queuedMax: read.integer(WATCH_SETTINGS.queuedMax, queuedMax, 1, 65_536),
    everyMs: read.integer(WATCH_SETTINGS.everyMs, everyMs, 10, 60_000),
  };
  const isDisabled = read.flag(WATCH_SETTINGS.disabled, false);
  return endpoint === undefined || isDisabled ? undefined : settings;
};
