import type { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import type { TraceSpan } from './span.ts';

type ReadableSpan = Parameters<OTLPTraceExporter['export']>[0][number];
type HrTime = ReadableSpan['startTime'];

/** The program that the spans belong to. */
export type SpanOrigin = { readonly serviceName: string; readonly plane: string; readonly version: string };

export type SpanExporter = {
  /** Resolves to true if the collector accepted them. */
  readonly send: (spans: readonly TraceSpan[]) => Promise<boolean>;
  readonly close: () => Promise<void>;
};

const KINDS = { internal: 0, server: 1, client: 2 } as const;
const [UNSET, ERROR] = [0, 2] as const;
const SAMPLED = 1;
const SUCCESS = 0;

const hrTime = (ms: number): HrTime => {
  const seconds = Math.floor(ms / 1000);
  return [seconds, Math.round((ms - seconds * 1000) * 1e6)];
};

type Shown = Pick<ReadableSpan, 'resource' | 'instrumentationScope'>;

const asReadable = (span: TraceSpan, shown: Shown): ReadableSpan => {
  const { traceId, spanId, parentId, beganMs, endedMs } = span;
  const context = { traceId, spanId, traceFlags: SAMPLED };
  return {
    ...shown,
    name: span.name,
    kind: KINDS[span.kind],
    spanContext: () => context,
    ...(parentId === undefined ? {} : { parentSpanContext: { traceId, spanId: parentId, traceFlags: SAMPLED, isRemote: true } }),
    startTime: hrTime(beganMs),
    endTime: hrTime(endedMs),
    duration: hrTime(endedMs - beganMs),
    status: { code: span.isError ? ERROR : UNSET },
    attributes: { ...span.attributes },
    links: [],
    events: [],
    ended: true,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
};

/**
 * Sends spans by OTLP over HTTP, with the standard settings of OpenTelemetry: OTEL_EXPORTER_OTLP_ENDPOINT, and optionally its
 * headers, certificates, compression and timeout, which the official exporter reads itself. Loaded only if tracing is on.
 */
export const openOtlpExporter = async ({ serviceName, plane, version }: SpanOrigin): Promise<SpanExporter> => {
  const [{ OTLPTraceExporter: Exporter }, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  const exporter = new Exporter({ concurrencyLimit: 1 });
  const resource = resourceFromAttributes({ 'service.name': serviceName, 'service.version': version, 'svc.plane': plane });
  const shown: Shown = { resource, instrumentationScope: { name: serviceName, version } };
  return {
    send: (spans) =>
      new Promise((resolve) => {
        exporter.export(
          spans.map((span) => asReadable(span, shown)),
          ({ code }) => resolve(code === SUCCESS),
        );
      }),
    close: () => exporter.shutdown(),
  };
};
