/** Bounds of the record, and of what reads it. */
export const AUDIT_LIMITS = {
  /** Events read of the feed at once, and what these tell together; a single one may tell more. */
  audit: {
    feedEventsMax: 1_000,
    feedBytesMax: 8_388_608,
    /** Between two checkpoints of the past that are kept of one log. */
    checkpointEverySeconds: 600,
    /** Leaves that one verification looks at, a part of them at once, and what it tells of what is wrong. */
    verifiedLeavesMax: 65_536,
    verifiedAtOnceMax: 256,
    findingsMax: 100,
  },
  feed: {
    /** Between two looks of a consumer that has taken everything. */
    lookEveryMs: 200,
    /** Before a consumer that broke off is tried again; twice as long before each further time. */
    retryAfterMs: 500,
    retryAfterMsMax: 60_000,
  },
} as const;
