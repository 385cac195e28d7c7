import type { Decided, Repeat, Step, Watcher } from '@svc/enforcement/ports/watcher.ts';
import { newSpanId, type TraceContext, traceParentOf } from '@svc/program/tracing/trace-context.ts';

/** The parts of a request, one after the other: until its handler begins, what the handler does, and until the answer is out. */
export const PARTS = ['admission', 'handle', 'facts', 'decide', 'record', 'execute', 'answer'] as const satisfies readonly (
  | 'admission'
  | 'handle'
  | Step
  | 'answer'
)[];
export type Part = (typeof PARTS)[number];

/**
 * How one request went. It is told where a part begins, which ends the one before, and what is made of that is made when the request is
 * over. Methods are shared, since one of these is made for every request that is watched.
 */
export class Course implements Watcher {
  readonly traceId: string;
  /** Undefined where nothing is traced. */
  readonly context: TraceContext | undefined;
  /** Where each part began, by the monotonic clock, in milliseconds. */
  readonly parts: Part[] = ['admission'];
  readonly began: number[] = [performance.now()];
  decision: Decided | undefined;
  moved = 0;
  noRoom = 0;
  /** Of the span of the call to the downstream, which has to be known before it is made. */
  callSpanId: string | undefined;

  constructor(traceId: string, context: TraceContext | undefined) {
    this.traceId = traceId;
    this.context = context;
  }

  enter(part: Part): void {
    this.parts.push(part);
    this.began.push(performance.now());
  }

  repeat(why: Repeat): void {
    if (why === 'moved') this.moved += 1;
    else this.noRoom += 1;
  }

  decided(decision: Decided): void {
    this.decision = decision;
  }

  traceParent(): string | undefined {
    if (this.context === undefined) return undefined;
    this.callSpanId ??= newSpanId();
    return traceParentOf(this.traceId, this.callSpanId, this.context.isSampled);
  }
}
