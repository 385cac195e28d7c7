import type { TraceSpan } from './span.ts';

/** Outcomes of spans: `dropped` when the queue was full, `failed` when the collector rejected them. */
export const SPAN_OUTCOMES = ['exported', 'dropped', 'failed'] as const;
export type SpanOutcome = (typeof SPAN_OUTCOMES)[number];

export type SpanQueue = {
  /** Never waits. Drops the span if the queue is full. */
  readonly add: (span: TraceSpan) => void;
  /** Sends the queued spans, within that time at most. */
  readonly close: (withinMs: number) => Promise<void>;
};

export type SpanQueueTerms = {
  readonly queuedMax: number;
  readonly batchMax: number;
  /** The maximum time a span waits for its batch, while batches are accepted. */
  readonly everyMs: number;
  /** Resolves to true if the batch was accepted; never rejects. */
  readonly send: (spans: readonly TraceSpan[]) => Promise<boolean>;
  readonly onOutcome: (outcome: SpanOutcome, spans: number) => void;
};

/**
 * A bounded queue before a collector. One batch is in flight at a time; a collector that is slow or hangs loses spans and costs nothing
 * else.
 */
export const newSpanQueue = ({ queuedMax, batchMax, everyMs, send, onOutcome }: SpanQueueTerms): SpanQueue => {
  let waiting: TraceSpan[] = [];
  let underWay: Promise<void> | undefined;

  const sendNext = async (): Promise<void> => {
    const batch = waiting.slice(0, batchMax);
    waiting = waiting.slice(batchMax);
    onOutcome((await send(batch)) ? 'exported' : 'failed', batch.length);
    underWay = undefined;
    if (waiting.length >= batchMax) begin();
  };
  const begin = (): void => {
    if (underWay === undefined && waiting.length > 0) underWay = sendNext();
  };
  const timer = setInterval(begin, everyMs).unref();

  const flush = async (): Promise<void> => {
    while (waiting.length > 0 || underWay !== undefined) {
      begin();
      await underWay;
    }
  };
  return {
    add: (span) => {
      if (waiting.length >= queuedMax) {
        onOutcome('dropped', 1);
        return;
      }
      waiting.push(span);
      if (waiting.length >= batchMax) begin();
    },
    close: async (withinMs) => {
      clearInterval(timer);
      await Promise.race([flush(), new Promise((resolve) => setTimeout(resolve, withinMs).unref())]);
    },
  };
};
