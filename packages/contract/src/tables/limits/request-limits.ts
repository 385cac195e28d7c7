/** Bounds on one request, and of one page of an answer. */
export const REQUEST_LIMITS = {
  idempotency: {
    retentionSeconds: 86_400,
    concurrentWaitMs: 10_000,
  },
  pages: {
    defaultCount: 50,
    countMax: 200,
    offsetMax: 1_000_000,
    /** Of rows that may be large: the one that reaches it is the last of a page. */
    bytesMax: 1_048_576,
    /** Rows of a list are counted up to here, and one more says that there are more. */
    countedMax: 10_000,
  },
  bodies: {
    requestBytesMax: 262_144,
    /** Where no credential is asked for. */
    unprovenBytesMax: 16_384,
    parametersBytesMax: 65_536,
    /** What a smaller one brings is bounded by how many requests there may be. */
    uncountedBytesMax: 4_096,
    /** Told of a body or query that is not valid; validation ends there. */
    faultsMax: 20,
  },
} as const;
