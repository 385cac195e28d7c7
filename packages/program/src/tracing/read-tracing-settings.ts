import { WATCH_SETTINGS } from '@svc/contract/tables/watching.ts';
import type { SettingsReader } from '../settings/read-settings.ts';

export type TracingSettings = {
  readonly serviceName: string;
  /** Spans that wait for the collector; what finds no room is dropped. */
  readonly queuedMax: number;
  readonly everyMs: number;
};

/** By the names that OpenTelemetry gives them; undefined, and nothing is traced, without an address of a collector. */
export const readTracingSettings = (read: SettingsReader, serviceName: string): TracingSettings | undefined => {
  if (read.text(WATCH_SETTINGS.endpoint) === undefined || read.flag(WATCH_SETTINGS.disabled)) return undefined;
  return {
    serviceName: read.text(WATCH_SETTINGS.serviceName) ?? serviceName,
    queuedMax: read.integer(WATCH_SETTINGS.queuedMax),
    everyMs: read.integer(WATCH_SETTINGS.everyMs),
  };
};
