/** Limits of the record and its readers. */
export const AUDIT_LIMITS = {
  /** Events of the feed that are read at once, and the bytes of their data; a single event may have more. */
  audit: {
    /** Maximum time until a program knows a platform key that was created or retired since it started. */
    keysReadEveryMs: 10_000,
    feedEventsMax: 2_000,
    feedBytesMax: 8_388_608,
    /** Organizations whose last signed tree a sealer caches. */
    rememberedTreesMax: 10_000,
    /** Interval between stored checkpoints of one log. */
    checkpointEverySeconds: 600,
    /** Leaves that one verification compares, how many at once, and the findings that it reports. */
    verifiedLeavesMax: 65_536,
    verifiedAtOnceMax: 256,
    /** Events, per part, that are examined for those that are no leaves. */
    verifiedBesideMax: 4_096,
    /** Time after which a verification ends with what it has compared. */
    verifiedWithinMs: 10_000,
    /** Records of one request to verify records. */
    verifiedRecordsMax: 50,
    findingsMax: 100,
    /** Past checkpoints that are read at once, and compared with the chain by a verification that does not begin at the first leaf. */
    chainedAtOnceMax: 1_000,
    /** Checkpoints that a caller may give for comparison with the log. */
    givenCheckpointsMax: 16,
    givenCheckpointCharsMax: 8_192,
  },
  sinks: {
    countMax: 8,
    eventsAtOnceMax: 500,
    /** Timeout for a destination to store one batch. The transaction that moves the position is open for as long. */
    deliverMs: 10_000,
    /** A transaction may be idle for twice this, which exceeds the time of a delivery. */
    databaseTimeoutMs: 10_000,
    responseBytesMax: 65_536,
  },
  anchors: {
    /** Interval between anchored checkpoints of one log at one anchor. */
    everySeconds: 300,
    /** Poll interval for logs to anchor. */
    lookEveryMs: 1_000,
    /** Logs that one worker anchors concurrently at one anchor. */
    atOnceMax: 16,
    /** Lease of a log for a worker that anchors it; longer than the calls of one attempt may take. */
    leaseSeconds: 60,
    /** Timeout of one call to an anchor, and bytes of its response that are read. */
    timeoutMs: 10_000,
    responseBytesMax: 16_384,
    /** Delay before a failed attempt is retried; doubles each time. */
    retryAfterSeconds: 5,
    retryAfterSecondsMax: 3_600,
    /** Maximum backoff for an anchor that accepts nothing. */
    restMsMax: 60_000,
    /** Bytes at the end of a file that are read to find what it has of each log. */
    fileTailBytesMax: 4_194_304,
    /** Maximum difference between the time of a cosignature and ours. */
    witnessSkewSeconds: 300,
    /** Poll interval for the status of logs: held, failing or in conflict. */
    watchEveryMs: 5_000,
  },
  search: {
    /**
     * Events of an organization without a segment above which its segments are not used; and of all organizations, events that are not
     * sealed yet.
     */
    unsummedMax: 50_000,
    /** Words of a search text, each of which is searched for. */
    wordsMax: 12,
    /** Saved searches: of one person or key, and those that an organization shares. */
    savedPerOwnerMax: 50,
    savedSharedMax: 200,
    /** Poll interval for what is to be summarized, and the lease of a segment. */
    lookEveryMs: 1_000,
    leaseMs: 60_000,
    /** Throttle: a worker rests for this multiple of the time that it worked. */
    restsCount: 15,
    /** Bytes that are noted of one event; beyond this its chunk is always searched. */
    notedBytesMax: 65_536,
    leavesAtOnceMax: 512,
    /** Poll interval for segments whose events are gone. */
    sweepEveryMs: 600_000,
  },
  exports: {
    /** Concurrent exports: of one organization, and in one process. */
    perOrganizationMax: 2,
    totalMax: 8,
    /** Maximum duration of an export. */
    lifeMs: 3_600_000,
    /** An export that is read more slowly, on the average since it began, yields its slot if others have none; not in its first moments. */
    bytesPerSecondMin: 65_536,
    graceMs: 30_000,
    /** Interval at which the credentials of running exports are checked again. */
    lookMs: 1_000,
    /** Leaves that are read at once, and the bytes of their events; a single event may have more. */
    leavesAtOnceMax: 512,
    /** The same for exports with records, each of which may hold parameters, an explanation and a result. */
    leavesWithRecordsMax: 64,
    pageBytesMax: 4_194_304,
    /** Leaf hashes per line. */
    hashesPerLineMax: 512,
  },
  compliance: {
    /** Default and maximum period of a report. */
    periodDays: 30,
    periodDaysMax: 366,
    /** Rows that one measure reads: of the current state, or segments of a period and rows of each. */
    rowsMax: 5_000,
    stretchesMax: 25,
    rowsPerStretchMax: 200,
    /** Events examined about one subject, subjects examined so, and events whose leaves are searched. */
    eventsPerSubjectMax: 50,
    subjectsMax: 1_000,
    leavesPerStretchMax: 40,
    /** Required retention of the record, and the time after which an unused resource counts as unused. */
    keptDays: 183,
    unusedDays: 90,
    keyDays: 365,
    /** Recent events, within so long, may wait to be sealed. */
    sealedWithinSeconds: 60,
    /** Interval of the job for one organization, its delay for a new one, and organizations per round. */
    judgedEverySeconds: 3_600,
    judgedAtOnceMax: 100,
  },
  feed: {
    /** Poll interval of a consumer that is up to date. Frequent work is done in small parts, so that it delays no decision for long. */
    lookEveryMs: 200,
    /** Events of the feed that are read at once, and that one step seals. */
    readAtOnceMax: 8_000,
    /** Irrelevant events that a consumer skips at once. */
    passedOverMax: 10_000,
    /** Throttle: a consumer with a backlog rests for this multiple of its step's time, up to a maximum. */
    restsCount: 2,
    restMsMax: 2_000,
    /** Interval at which a position that only skipped events moved is stored. */
    keepEveryMs: 60_000,
    /** Backoff after a consumer failed; doubles each time. */
    retryAfterMs: 500,
    retryAfterMsMax: 60_000,
    /** Number of attempts with events of all organizations together; after that each organization is tried separately. */
    takeTogetherTriesMax: 2,
    /** Age of the oldest pending event from which readiness reports a consumer as behind. */
    behindMs: 10_000,
  },
  /** Retention of events, and their removal. */
  retention: {
    /** Six months of any length. */
    keepDaysMin: 184,
    keepDaysMax: 36_500,
    /** Grace period before a change takes effect, so that it can be noticed and reverted. */
    graceSeconds: 604_800,
    /** Leaves of a log that one event announces, and whose events one step removes. */
    announcedLeavesMax: 200_000,
    removedLeavesMax: 2_000,
    /** Events that one step checks of a month that is about to be dropped. */
    checkedEventsMax: 20_000,
  },
} as const;
