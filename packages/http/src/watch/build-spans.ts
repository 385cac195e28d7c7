import type { TraceSpan } from '@svc/program/tracing/span.ts';
import { newSpanId } from '@svc/program/tracing/trace-context.ts';
import type { RequestTelemetry } from './answered.ts';
import type { RequestTrace, TracePart } from './course.ts';

const withoutUndefined = (attributes: Readonly<Record<string, string | number | null | undefined>>): TraceSpan['attributes'] =>
  Object.fromEntries(Object.entries(attributes).filter((entry): entry is [string, string | number] => entry[1] != null));

const listAttributes = (answered: RequestTelemetry, { decision, moved, no_room }: RequestTrace['outcome']): TraceSpan['attributes'] =>
  withoutUndefined({
    'http.request.method': answered.method,
    'http.route': answered.route,
    'http.response.status_code': answered.status,
    'svc.operation': answered.operation,
    'svc.request_id': answered.requestId,
    'svc.organization_id': answered.organizationId,
    'svc.agent_id': answered.agentId,
    'svc.code': answered.code,
    ...(decision && { 'svc.effect': decision.effect, 'svc.action_id': decision.actionId, 'svc.repeats': moved + no_room }),
  });

/** Parts with a span of their own; the rest is admission and response, at the start and the end. */
const TOLD = new Set<TracePart>(['facts', 'decide', 'record', 'execute']);

/** Returns the spans of a request: one for the whole, and one for each part of its decision. The caller's span is the parent. */
export const buildSpans = (course: RequestTrace, answered: RequestTelemetry, endedMs: number): readonly TraceSpan[] => {
  const { traceId, parts, began, context, outcome } = course;
  const wallMs = (monotonicMs: number): number => performance.timeOrigin + monotonicMs;
  const root: TraceSpan = {
    name: `${answered.method} ${answered.route}`,
    kind: 'server',
    traceId,
    spanId: newSpanId(),
    parentId: context?.parentId,
    beganMs: wallMs(began[0] ?? endedMs),
    endedMs: wallMs(endedMs),
    isError: answered.status >= 500,
    attributes: listAttributes(answered, outcome),
  };
  const children = parts.flatMap((part, index): TraceSpan[] => {
    if (!TOLD.has(part)) return [];
    const isCall = part === 'execute';
    return [
      {
        name: part,
        kind: isCall ? 'client' : 'internal',
        traceId,
        spanId: (isCall ? outcome.callSpanId : undefined) ?? newSpanId(),
        parentId: root.spanId,
        beganMs: wallMs(began[index] ?? endedMs),
        endedMs: wallMs(began[index + 1] ?? endedMs),
        isError: false,
        attributes: {},
      },
    ];
  });
  return [root, ...children];
};
