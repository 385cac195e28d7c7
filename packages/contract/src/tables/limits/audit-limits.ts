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
    findingsMax: 100,
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
    /** Between looks at whether the credentials of those that run still hold. */
    lookMs: 1_000,
    /** Leaves read at once, and what their events tell together; a single one may tell more. */
    leavesAtOnceMax: 512,
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

/** Bounds of webhooks: what is subscribed, what is sent, how often it is tried and how long it is remembered. */
export const WEBHOOK_LIMITS = {
  webhooks: {
    /** Between two looks at how far organizations are behind. */
    watchStretchesEveryMs: 5_000,
    replayWindowSeconds: 300,
    deliveryTimeoutMs: 10_000,
    /** Wait before each attempt, the first included; each is jittered. */
    retryDelaysSeconds: [0, 10, 60, 300, 1_800, 7_200, 21_600, 86_400],
    disableAfterFailingSeconds: 432_000,
    /** How long a receiver may have us wait by Retry-After; never less than the wait that is due anyway. */
    retryAfterSecondsMax: 3_600,
    /** Attempts of one delivery that count as none, since a connection that was kept open was closed before them. */
    staleAttemptsMax: 8,
    previousSecretSeconds: 86_400,
    /** Subscriptions of one organization. */
    subscriptionsMax: 50,
    urlLengthMax: 2_048,
    /** Of one body; what an event tells besides is left out where it would be larger. */
    bodyBytesMax: 65_536,
    /** Read of an answer, and kept of it. */
    answerBytesMax: 4_096,
    excerptCharsMax: 500,
    /** Attempts of one delivery that are shown. */
    triesShownMax: 16,
    /** Deliveries that wait for one receiver; the oldest beyond it have failed, so many of them at once. */
    waitingMax: 100_000,
    givenUpMax: 5_000,
    /**
     * Events of one organization for which deliveries are made at once with those of others; what it has beyond them is noted, and made so many
     * events at a time in turn with others, as long as no receiver of it that takes what it is sent has more waiting than that.
     */
    directEventsMax: 100,
    stretchEventsMax: 100,
    stretchWaitingMin: 1_000,
    stretchPauseMs: 1_000,
    /** What is noted for longer is told to nobody. */
    stretchSecondsMax: 86_400,
    /** Waiting test deliveries of one subscription. */
    testsWaitingMax: 10,
    /** Of one request to deliver again what failed. */
    redeliveredMax: 10_000,
    /** What became of a delivery is kept for so long, and of each subscription for so many that arrived and so many that failed. */
    keptSeconds: 2_592_000,
    keptMax: 100_000,
    sweptMax: 2_000,
    /** Deliveries under way at the same time from one worker, and those among them to receivers that are slow, and to those nothing is known of. */
    sendsMax: 320,
    unprovenSendsMax: 128,
    organizationSendsMax: 96,
    organizationUnprovenSendsMax: 32,
    receiverSendsMax: 64,
    slowReceiverSendsMax: 8,
    /** An answer within so long is a quick one. */
    quickMs: 1_000,
    /** Between two looks for what is due. */
    lookEveryMs: 150,
    /** A receiver for which nothing is due is left to other workers after so long. */
    receiverIdleMs: 2_000,
    /** Attempts under way are waited for so long when a worker stops. */
    stoppedWithinMs: 4_000,
    /** Receivers that one worker serves at the same time. */
    receiversMax: 1_024,
    /** How long a receiver stays with a worker that says nothing of itself, and a delivery with its attempt. */
    receiverLeaseMs: 6_000,
    deliveryLeaseMs: 25_000,
  },
} as const;

/** Bounds of what people are told: how many at once, how much is kept, and how often they are mailed. */
export const NOTIFICATION_LIMITS = {
  notifications: {
    /** People who are told of one thing. */
    toldMax: 200,
    /** Kept for one person in one organization: the oldest that were read go first. */
    perPersonMax: 500,
    /** Of one kind that a person is told one by one within the window; what is over becomes one with a count. */
    oneByOneMax: 20,
    oneByOneWindowSeconds: 600,
    /** Notices put before people in one step, of one organization; after so long nobody is told of one any more. */
    noticesAtOnceMax: 25,
    noticeLifetimeSeconds: 86_400,
    /** That it was told of is known for so long after. */
    noticeKeptSeconds: 691_200,
    sweptMax: 1_000,
    /** To one person within an hour, from all organizations: half of what one address gets, so that codes still come through. */
    mailsPerHourMax: 10,
    /** From one mail to the next: at first, twice as long each time within the hour, and at most. */
    mailEverySeconds: 15,
    mailEverySecondsMax: 600,
    /** Notifications that one mail speaks of, and people mailed in one step of one organization. */
    mailedTogetherMax: 500,
    mailedPeopleMax: 20,
    /** Before something ends, of a short life in its last third. */
    warnBeforeDays: 7,
    warnedAtOnceMax: 50,
    /** Delegations that last no longer end without a warning. */
    warnedLifeSecondsMin: 86_400,
    /** How often a plane looks for what is to be told, and for what is to be mailed. */
    lookEveryMs: 500,
  },
  /** What is sent to the chats of organizations. */
  channels: {
    perOrganizationMax: 20,
    urlLengthMax: 1_024,
    /** Messages of one kind that wait for one channel one by one; what is over is counted on the newest of them. */
    oneByOneMax: 50,
    /** Waiting messages that one post speaks of, and those of one kind that it tells one by one. */
    gatheredMax: 200,
    toldOneByOneMax: 5,
    sentenceCharsMax: 500,
    postCharsMax: 3_000,
    /** From one post to the next to the same channel, as Slack asks. */
    everyMs: 1_000,
    timeoutMs: 10_000,
    answerBytesMax: 4_096,
    errorCharsMax: 300,
    /** Wait after so many posts in a row that did not arrive; each is jittered. */
    retryDelaysSeconds: [10, 60, 300, 1_800, 3_600],
    /** Nothing is sent any more once none has arrived for so long, or the receiver said so many times in a row that it is gone. */
    disableAfterFailingSeconds: 86_400,
    goneAnswersMax: 3,
    /** What waited for longer is told to nobody. */
    messageLifetimeSeconds: 86_400,
    /** While calls to the outside are switched off, it is looked again after so long. */
    offPauseSeconds: 60,
    testsWaitingMax: 5,
    /** Posts under way from one worker, and those among them of one organization. */
    sendsMax: 64,
    organizationSendsMax: 4,
    lookEveryMs: 300,
    /** How long a channel stays with a worker that says nothing of itself: longer than a post may take. */
    leaseMs: 30_000,
    stoppedWithinMs: 4_000,
  },
} as const;
