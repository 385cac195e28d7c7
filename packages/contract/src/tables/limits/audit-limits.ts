/** Bounds of the record, and of what reads it. */
export const AUDIT_LIMITS = {
  /** Events read of the feed at once, and what these tell together; a single one may tell more. */
  audit: {
    /** After this long at most, a program knows a platform key that was made or retired since it started. */
    keysReadEveryMs: 10_000,
    feedEventsMax: 2_000,
    feedBytesMax: 8_388_608,
    /** Organizations of whose tree a sealer remembers what it signed last. */
    rememberedTreesMax: 10_000,
    /** Between two checkpoints of the past that are kept of one log. */
    checkpointEverySeconds: 600,
    /** Leaves that one verification looks at, a part of them at once, and what it tells of what is wrong. */
    verifiedLeavesMax: 65_536,
    verifiedAtOnceMax: 256,
    /** Events looked at, with each part, for those that are no leaves. */
    verifiedBesideMax: 4_096,
    /** After so long a verification ends with what it has looked at. */
    verifiedWithinMs: 10_000,
    /** Records of one request to verify records. */
    verifiedRecordsMax: 50,
    findingsMax: 100,
    /** Past checkpoints that are read at once, and compared with the chain by a verification that does not begin at the first leaf. */
    chainedAtOnceMax: 1_000,
    /** Checkpoints that a caller gives to be compared with the log. */
    givenCheckpointsMax: 16,
    givenCheckpointCharsMax: 8_192,
  },
  sinks: {
    countMax: 8,
    eventsAtOnceMax: 500,
    /** Time for a destination to store one batch. The transaction that moves the position is open for as long. */
    deliverMs: 10_000,
    /** A transaction may be idle for twice this, which exceeds the time of a delivery. */
    databaseTimeoutMs: 10_000,
    answerBytesMax: 65_536,
  },
  anchors: {
    /** Between two checkpoints of one log that are anchored at one place. */
    everySeconds: 300,
    /** Between two looks for what is to be anchored. */
    lookEveryMs: 1_000,
    /** Logs that one worker anchors at one place at the same time. */
    atOnceMax: 16,
    /** How long a log stays with a worker that anchors it; longer than the calls of one attempt may take. */
    leaseSeconds: 60,
    /** Of one call to the place, and what is read of its answer. */
    timeoutMs: 10_000,
    answerBytesMax: 16_384,
    /** Before an attempt that failed is made again; twice as long before each further one. */
    retryAfterSeconds: 5,
    retryAfterSecondsMax: 3_600,
    /** How long a place that takes nothing of anybody is left alone at most. */
    restMsMax: 60_000,
    /** Read of the end of a file, so that what it has of each log is known. */
    fileTailBytesMax: 4_194_304,
    /** How far the time of a cosignature may be from ours. */
    witnessSkewSeconds: 300,
    /** Between two looks at how logs stand: held, failing or in conflict. */
    watchEveryMs: 5_000,
  },
  search: {
    /** Events of an organization that stand in no segment yet, beyond which its segments are of no use; and of all that the sealer has not come to. */
    unsummedMax: 50_000,
    /** Of a search's text: words, each of which is looked for. */
    wordsMax: 12,
    /** Saved searches: of one person or key, and those that an organization shares. */
    savedPerOwnerMax: 50,
    savedSharedMax: 200,
    /** Between two looks for what is to be summed up, and how long one stretch stays with a worker that says nothing of itself. */
    lookEveryMs: 1_000,
    leaseMs: 60_000,
    /** A worker rests for so many times as long as it summed up. */
    restsCount: 15,
    /** Of what one event tells; beyond it nothing of its chunk is ruled out. */
    notedBytesMax: 65_536,
    leavesAtOnceMax: 512,
    /** Between two looks for segments whose events are gone. */
    sweepEveryMs: 600_000,
  },
  exports: {
    /** Running at once: of one organization, and in one process. */
    perOrganizationMax: 2,
    totalMax: 8,
    /** How long one may take. */
    lifeMs: 3_600_000,
    /** One that waits for its reader and is read slower than that, on the average since it began, goes where others have no room; not in its first moments. */
    bytesPerSecondMin: 65_536,
    graceMs: 30_000,
    /** Between looks at whether the credentials of those that run still hold. */
    lookMs: 1_000,
    /** Leaves read at once, and what their events tell together; a single one may tell more. */
    leavesAtOnceMax: 512,
    /** The same for exports with records, each of which may hold parameters, an explanation and a result. */
    leavesWithRecordsMax: 64,
    pageBytesMax: 4_194_304,
    /** Hashes of leaves in one line. */
    hashesPerLineMax: 512,
  },
  compliance: {
    /** The period of a report that names none, and the longest there is. */
    periodDays: 30,
    periodDaysMax: 366,
    /** What one measure looks at: rows as they stand now, or so many stretches of a period and rows of each. */
    rowsMax: 5_000,
    stretchesMax: 25,
    rowsPerStretchMax: 200,
    /** Events looked at about one subject, subjects looked at so, and events whose leaves are looked for. */
    eventsPerSubjectMax: 50,
    subjectsMax: 1_000,
    leavesPerStretchMax: 40,
    /** How long the record is to be kept, and how long what nobody uses stays in use. */
    keptDays: 183,
    unusedDays: 90,
    keyDays: 365,
    /** An event of the last so long may wait to be sealed. */
    sealedWithinSeconds: 60,
    /** Between two looks of the job at one organization, before the first at a new one, and organizations of one round. */
    judgedEverySeconds: 3_600,
    judgedAtOnceMax: 100,
  },
  feed: {
    /** Between two looks of a consumer that has taken everything. What is done often is done in small parts, and holds up no decision for long. */
    lookEveryMs: 200,
    /** Events of the feed that are read at once, and that one step seals. */
    readAtOnceMax: 8_000,
    /** Events that a consumer has no interest in, passed over at once. */
    passedOverMax: 10_000,
    /** A consumer that has more to take rests for so many times as long as its step took, and for so long at most. */
    restsCount: 2,
    restMsMax: 2_000,
    /** A position that only such events have moved is kept after so long. */
    keepEveryMs: 60_000,
    /** Before a consumer that broke off is tried again; twice as long before each further time. */
    retryAfterMs: 500,
    retryAfterMsMax: 60_000,
    /** So often a consumer tries events of all organizations together; from then on each organization is by itself. */
    takeTogetherTriesMax: 2,
    /** A consumer whose oldest event has waited for so long is told as behind where readiness is asked. */
    behindMs: 10_000,
  },
  /** How long events of the record are kept, and how they are removed. */
  retention: {
    /** Six months, whichever they are. */
    keepDaysMin: 184,
    keepDaysMax: 36_500,
    /** What was said less long ago does nothing yet: whoever notices it can say otherwise. */
    graceSeconds: 604_800,
    /** Leaves of a log that one event announces, and whose events one step removes. */
    announcedLeavesMax: 200_000,
    removedLeavesMax: 2_000,
    /** Events that one step looks at of a month that is about to be dropped. */
    checkedEventsMax: 20_000,
  },
} as const;
