import { TRACING_LIMITS } from '@svc/contract/tables/watching.ts';
import type { Logger } from 'pino';
import { type Counter, newCounter } from '../metrics/counter.ts';
import type { Metric } from '../metrics/metric.ts';
import { openOtlpExporter, type SpanOrigin } from './otlp-exporter.ts';
import type { TracingSettings } from './read-tracing-settings.ts';
import type { TraceSpan } from './span.ts';
import { newSpanQueue, SPAN_OUTCOMES, type SpanOutcome } from './span-queue.ts';

export type Tracing = {
  /** Never waits and never throws. */
  readonly add: (span: TraceSpan) => void;
  readonly metric: Metric;
  readonly close: () => Promise<void>;
};

/** Counts the outcomes of spans; logs once each that the collector rejects spans, and that it accepts them again. */
const newTold = (log: Logger, outcomes: Counter<SpanOutcome>): ((outcome: SpanOutcome, spans: number) => void) => {
  let isTaken = true;
  const tell = (taken: boolean): void => {
    if (taken === isTaken) return;
    isTaken = taken;
    if (taken) log.info('The trace collector accepts spans again.');
    else log.warn('The trace collector does not accept spans. Spans that exceed the buffer are dropped; nothing else is affected.');
  };
  return (outcome, spans) => {
    outcomes.count(outcome, spans);
    tell(outcome === 'exported');
  };
};

/** Opens tracing to the collector that the settings name. */
export const openTracing = async (settings: TracingSettings, origin: Omit<SpanOrigin, 'serviceName'>, log: Logger): Promise<Tracing> => {
  const exporter = await openOtlpExporter({ ...origin, serviceName: settings.serviceName });
  const outcomes = newCounter('svc_spans_total', 'Trace spans, by outcome.', 'outcome', SPAN_OUTCOMES);
  const { queuedMax, everyMs } = settings;
  const queue = newSpanQueue({
    queuedMax,
    everyMs,
    batchMax: Math.min(queuedMax, TRACING_LIMITS.batchMax),
    send: exporter.send,
    onOutcome: newTold(log, outcomes),
  });
  return {
    add: queue.add,
    metric: outcomes.metric,
    close: async () => {
      await queue.close(TRACING_LIMITS.stopWithinMs);
      void Promise.allSettled([exporter.close()]);
    },
  };
};
