import type { Endpoint } from '@svc/contract/rows/endpoint.ts';
import type { OnBatch } from '@svc/postgres/recorder/open-queues.ts';
import type { Metric } from '@svc/program/metrics/metric.ts';
import { openMetrics } from '@svc/program/metrics/open-metrics.ts';
import { type MetricsAddress, serveMetrics } from '@svc/program/metrics/serve-metrics.ts';
import { refuseToStart } from '@svc/program/start/refuse-to-start.ts';
import { openTracing, type Tracing } from '@svc/program/tracing/open-tracing.ts';
import type { TracingSettings } from '@svc/program/tracing/read-tracing-settings.ts';
import { readTraceContext } from '@svc/program/tracing/trace-context.ts';
import type { Logger } from 'pino';
import type { RequestTelemetry } from './answered.ts';
import { buildSpans } from './build-spans.ts';
import { createTrace, type RequestTrace } from './course.ts';
import { newBatchMeter } from './part-metrics.ts';
import { newRequestMeters, type RefusingBudget, type RequestMeters } from './request-meters.ts';

/** Telemetry of a plane's requests. */
export type Watch = {
  readonly begin: (traceId: string, traceparent: string | string[] | undefined) => RequestTrace;
  readonly end: (course: RequestTrace, answered: RequestTelemetry) => void;
  readonly refused: (budget: RefusingBudget) => void;
};

export type OpenedWatch = {
  /** Undefined without metrics and tracing: then nothing is counted. */
  readonly watch: Watch | undefined;
  readonly onBatch: OnBatch | undefined;
  /** Serves the metrics, including those that the plane provides. */
  readonly serve: (more: () => readonly Metric[]) => Promise<void>;
  readonly close: () => Promise<void>;
};

export type WatchSettings = {
  /** Address of the metrics endpoint; none if it is not set. */
  readonly metrics: MetricsAddress | undefined;
  /** Undefined without tracing. */
  readonly tracing: TracingSettings | undefined;
};

const newWatch = (meters: RequestMeters | undefined, tracing: Tracing | undefined): Watch => ({
  begin: (traceId, traceparent) => createTrace(traceId, tracing && readTraceContext(traceparent, traceId)),
  end: (course, answered) => {
    const endedMs = performance.now();
    meters?.note(course, answered, endedMs);
    if (tracing !== undefined && course.context?.isSampled) for (const span of buildSpans(course, answered, endedMs)) tracing.add(span);
  },
  refused: (budget) => meters?.refused(budget),
});

export type WatchedPlane = { readonly plane: Endpoint['plane']; readonly version: string; readonly metricsSetting: string };

/** Opens metrics and traces of a plane, each by its setting; without both nothing is loaded or counted. */
export const openWatch = async (settings: WatchSettings, about: WatchedPlane, log: Logger): Promise<OpenedWatch> => {
  const { plane, version, metricsSetting } = about;
  const address = settings.metrics;
  const meters = address && newRequestMeters(plane);
  const batches = address && newBatchMeter();
  const tracing = settings.tracing && (await openTracing(settings.tracing, { plane, version }, log));
  let stopServing: (() => Promise<void>) | undefined;
  return {
    watch: meters || tracing ? newWatch(meters, tracing) : undefined,
    onBatch: batches?.onBatch,
    serve: async (more) => {
      if (address === undefined || meters === undefined || batches === undefined) return;
      const metrics = await openMetrics([...meters.metrics, batches.metric, ...(tracing ? [tracing.metric] : []), ...more()]);
      stopServing = await serveMetrics(address, [metrics]).catch((error: Error) => {
        throw refuseToStart([`${metricsSetting} cannot be listened on (${error.message}).`]);
      });
    },
    close: async () => {
      await Promise.all([stopServing?.(), tracing?.close()]);
    },
  };
};
