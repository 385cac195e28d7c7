import type { Decided, Step, Watcher } from '@svc/enforcement/facts/watcher.ts';
import { newSpanId, type TraceContext, traceParentOf } from '@svc/program/tracing/trace-context.ts';

/** The parts of a request, one after the other: until its handler begins, what the handler does, and until the answer is out. */
export const PARTS = ['admission', 'handle', 'facts', 'decide', 'record', 'execute', 'answer'] as const satisfies readonly (
  | 'admission'
  | 'handle'
  | Step
  | 'answer'
)[];
export type Part = (typeof PARTS)[number];

/** How one request went so far. */
export type Course = Watcher & {
  /** The part before ends where the next begins. */
  readonly enter: (part: Part) => void;
  readonly traceId: string;
  /** Undefined where nothing is traced. */
  readonly context: TraceContext | undefined;
  readonly parts: readonly Part[];
  /** Where each part began, by the monotonic clock, in milliseconds. */
  readonly began: readonly number[];
  readonly outcome: {
    decision: Decided | undefined;
    moved: number;
    no_room: number;
    /** Of the span of the call to the downstream, which has to be known before it is made. */
    callSpanId: string | undefined;
  };
};

/** A request that begins now. What is made of it is made when it is over; until then it costs a reading of the clock for each part. */
export const newCourse = (traceId: string, context: TraceContext | undefined): Course => {
  const parts: Part[] = ['admission'];
  const began = [performance.now()];
  const outcome: Course['outcome'] = { decision: undefined, moved: 0, no_room: 0, callSpanId: undefined };
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
      return traceParentOf(traceId, outcome.callSpanId, context.isSampled);
    },
  };
};
