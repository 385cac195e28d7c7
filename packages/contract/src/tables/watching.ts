import { SETTINGS_PREFIX } from './wire-name.ts';

/** What traces of requests may take. */
export const TRACING_LIMITS = {
  /** Spans that wait for the collector; what finds no room is dropped. */
  queuedMax: 2_048,
  batchMax: 512,
  everyMs: 5_000,
  /** How long a stop waits for the last of them. */
  stopWithinMs: 2_000,
} as const;

/** Settings of metrics and traces, the latter by the names that OpenTelemetry gives them. */
export const WATCH_SETTINGS = {
  controlMetrics: `${SETTINGS_PREFIX}CONTROL_METRICS`,
  workerMetrics: `${SETTINGS_PREFIX}WORKER_METRICS`,
  endpoint: 'OTEL_EXPORTER_OTLP_ENDPOINT',
  serviceName: 'OTEL_SERVICE_NAME',
  queuedMax: 'OTEL_BSP_MAX_QUEUE_SIZE',
  everyMs: 'OTEL_BSP_SCHEDULE_DELAY',
  disabled: 'OTEL_SDK_DISABLED',
} as const;
