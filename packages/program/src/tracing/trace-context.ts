import { randomHex } from '@svc/keyring/bytes/random-hex.ts';

/** The trace context of a request. */
export type TraceContext = {
  /** The caller's span, 16 hex digits. */
  readonly parentId: string | undefined;
  /** True if the trace is sampled: as the caller decided, and always if the caller did not decide. */
  readonly isSampled: boolean;
};

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]([0-9a-f])$/;
const NO_SPAN = '0'.repeat(16);

/** Parses a W3C traceparent header; returns no parent if it belongs to another trace. */
export const readTraceContext = (traceparent: string | string[] | undefined, traceId: string): TraceContext => {
  const [, trace, parentId, flag = '0'] = (typeof traceparent === 'string' && TRACEPARENT.exec(traceparent)) || [];
  if (trace !== traceId || parentId === NO_SPAN) return { parentId: undefined, isSampled: true };
  return { parentId, isSampled: (Number.parseInt(flag, 16) & 1) === 1 };
};

export const newSpanId = (): string => {
  const id = randomHex(8);
  return id === NO_SPAN ? newSpanId() : id;
};

/** Formats a traceparent header for a downstream request. */
export const writeTraceParent = (traceId: string, spanId: string, isSampled: boolean): string =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
