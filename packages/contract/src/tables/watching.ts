import { SETTINGS_PREFIX } from './wire-name.ts';

/** Limits of request traces. */
export const TRACING_LIMITS = {
  /** Queued spans for the collector; further ones are dropped. */
  queuedMax: 2_048,
  batchMax: 512,
  everyMs: 5_000,
  /** Time that a shutdown waits for the last spans. */
  stopWithinMs: 2_000,
} as const;

/** Settings of metrics and traces; the latter use the names of OpenTelemetry. */
export const WATCH_SETTINGS = {
  controlMetrics: `${SETTINGS_PREFIX}CONTROL_METRICS`,
  workerMetrics: `${SETTINGS_PREFIX}WORKER_METRICS`,
  endpoint: 'OTEL_EXPORTER_OTLP_ENDPOINT',
  serviceName: 'OTEL_SERVICE_NAME',
  queuedMax: 'OTEL_BSP_MAX_QUEUE_SIZE',
  everyMs: 'OTEL_BSP_SCHEDULE_DELAY',
  disabled: 'OTEL_SDK_DISABLED',
} as const;
