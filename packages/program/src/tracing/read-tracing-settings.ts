import { WATCH_SETTINGS } from '@svc/contract/tables/watching.ts';
import type { SettingsReader } from '../settings/read-settings.ts';

export type TracingSettings = {
  readonly serviceName: string;
  /** Maximum number of spans that wait for the collector; beyond it they are dropped. */
  readonly queuedMax: number;
  readonly everyMs: number;
};

/** Reads the settings by their OpenTelemetry names; undefined, and tracing is off, without an address of a collector. */
export const readTracingSettings = (read: SettingsReader, serviceName: string): TracingSettings | undefined => {
  if (read.text(WATCH_SETTINGS.endpoint) === undefined || read.flag(WATCH_SETTINGS.disabled)) return undefined;
  return {
    serviceName: read.text(WATCH_SETTINGS.serviceName) ?? serviceName,
    queuedMax: read.integer(WATCH_SETTINGS.queuedMax),
    everyMs: read.integer(WATCH_SETTINGS.everyMs),
  };
};
