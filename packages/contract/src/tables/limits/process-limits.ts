/** Limits of one process: clock, restarts, logs and shutdown. */
export const PROCESS_LIMITS = {
  clock: {
    /** Maximum difference between the clock of a process and the database's. */
    skewMaxSeconds: 5,
    /** Interval at which a process reads the database's time. */
    measureEveryMs: 2_000,
    /** Time for which the last reading is used. */
    unknownAfterMs: 60_000,
    /** Time for which the database must keep a stepped clock before it is followed. */
    confirmStepMs: 30_000,
  },
  /** Retry interval of a starting program whose database does not respond: initial and maximum. */
  startup: { retryMs: 100, retryMsMax: 2_000 },
  restarts: {
    /** Crashes of one plane within the time after which it is not restarted. */
    deathsMax: 5,
    deathsWithinMs: 60_000,
    /** Delay before the first restart; doubles each time. */
    backoffMs: 200,
    backoffMsMax: 5_000,
  },
  sandbox: {
    requestsKeptMax: 100,
    /** Bytes of the stored bodies. */
    keptBytesMax: 4_194_304,
  },
  logs: {
    /** Bytes of one file; a full one is rotated. */
    fileBytesMax: 67_108_864,
    /** Files of one plane, including the current one. */
    filesMax: 4,
    /** Lines of one process that are not JSON, such as crash output of the engine, and their maximum length. */
    strayLinesMax: 2_000,
    strayCharactersMax: 4_096,
  },
  log: {
    /** Log lines per address and minute about requests that were refused before authentication or by a rate limit. */
    refusalLinesPerMinute: 120,
  },
  /** Cache lifetime of pages and documents that are the same for everyone. */
  documents: { cacheSeconds: 300 },
  health: {
    /** Timeout of one part in a readiness check. */
    checkMs: 2_000,
    /** Cache lifetime of its result. */
    keptMs: 1_000,
    /**
     * Readiness requests of one address, which count for nothing else: the burst, and the rate per second; and the number of addresses that
     * are tracked.
     */
    atOnceMax: 120,
    perSecondMax: 10,
    addressesMax: 10_000,
  },
  shutdown: {
    drainMs: 10_000,
    /** Time for incomplete requests and unread responses at shutdown, once nothing else is running. */
    unfinishedMs: 1_500,
  },
} as const;
