import type { DecisionResult, GovernStep, Watcher } from '@svc/enforcement/facts/watcher.ts';
import { newSpanId, type TraceContext, writeTraceParent } from '@svc/program/tracing/trace-context.ts';

/** The parts of a request in order: until its handler begins, the handler's work, and until the response is sent. */
export const PARTS = ['admission', 'handle', 'facts', 'decide', 'record', 'execute', 'answer'] as const satisfies readonly (
  | 'admission'
  | 'handle'
  | GovernStep
  | 'answer'
)[];
export type TracePart = (typeof PARTS)[number];

/** Trace of one request. */
export type RequestTrace = Watcher & {
  /** Begins a part, which ends the previous one. */
  readonly enter: (part: TracePart) => void;
  readonly traceId: string;
  /** Undefined without tracing. */
  readonly context: TraceContext | undefined;
  readonly parts: readonly TracePart[];
  /** Start of each part by the monotonic clock, in milliseconds. */
  readonly began: readonly number[];
  readonly outcome: {
    decision: DecisionResult | undefined;
    moved: number;
    no_room: number;
    /** Id of the span of the downstream call, which must be known before it is made. */
    callSpanId: string | undefined;
  };
};

/** Creates the trace of a request that begins now. Spans are built when it ends; until then it costs one clock reading per part. */
export const createTrace = (traceId: string, context: TraceContext | undefined): RequestTrace => {
  const parts: TracePart[] = ['admission'];
  const began = [performance.now()];
  const outcome: RequestTrace['outcome'] = { decision: undefined, moved: 0, no_room: 0, callSpanId: undefined };
  return {
    traceId,
    context,
    parts,
    began,
    outcome,
    enter: (part) => {
      parts.push(part);
      began.push(performance.now());
    },
    repeat: (why) => {
      outcome[why] += 1;
    },
    decided: (decision) => {
      outcome.decision = decision;
    },
    traceParent: () => {
      if (context === undefined) return undefined;
      outcome.callSpanId ??= newSpanId();
      return writeTraceParent(traceId, outcome.callSpanId, context.isSampled);
    },
  };
};
