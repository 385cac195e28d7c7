/** A part of a trace, in ids and codes: never parameters, tokens, reasons or anything else that may be a secret. */
export type TraceSpan = {
  readonly name: string;
  readonly kind: 'internal' | 'server' | 'client';
  /** 32 hex digits. */
  readonly traceId: string;
  /** 16 hex digits. */
  readonly spanId: string;
  readonly parentId: string | undefined;
  /** Milliseconds since the epoch, with fractions. */
  readonly beganMs: number;
  readonly endedMs: number;
  readonly isError: boolean;
  readonly attributes: Readonly<Record<string, string | number>>;
};
