/** Limits of one request, and of one page of a response. */
export const REQUEST_LIMITS = {
  idempotency: {
    retentionSeconds: 86_400,
    concurrentWaitMs: 10_000,
  },
  pages: {
    defaultCount: 50,
    countMax: 200,
    offsetMax: 1_000_000,
    /** Bytes of rows that may be large: the row that reaches it is the last of a page. */
    bytesMax: 1_048_576,
    /** Rows of a list that are counted; one more means that there are more. */
    countedMax: 10_000,
  },
  bodies: {
    requestBytesMax: 262_144,
    /** Body bytes without authentication. */
    unprovenBytesMax: 16_384,
    parametersBytesMax: 65_536,
    /** Bytes up to which bodies are not counted; the number of requests bounds them. */
    uncountedBytesMax: 4_096,
    /** Faults that are reported of an invalid body or query; validation ends there. */
    faultsMax: 20,
  },
} as const;
