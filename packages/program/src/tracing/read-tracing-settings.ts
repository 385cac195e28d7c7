import { SETTINGS } from '@svc/contract/tables/limits.ts';
import type { SettingsReader } from '../settings/read-settings.ts';

export type TracingSettings = {
  readonly serviceName: string;
  /** Spans that wait for the collector; what finds no room is dropped. */
  readonly queuedMax: number;
  readonly everyMs: number;
};

/** By the names that OpenTelemetry gives them; undefined, and nothing is traced, without an address of a collector. */
export const readTracingSettings = (read: SettingsReader, serviceName: string): TracingSettings | undefined => {
  if (read.text(SETTINGS.otlpEndpoint) === undefined || read.flag(SETTINGS.otlpDisabled)) return undefined;
  return {
    serviceName: read.text(SETTINGS.otlpServiceName) ?? serviceName,
    queuedMax: read.integer(SETTINGS.otlpQueueMax),
    everyMs: read.integer(SETTINGS.otlpDelayMs),
  };
};
