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
    restsCount: 7,
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
  feed: {
    /** Between two looks of a consumer that has taken everything. */
    lookEveryMs: 200,
    /** Before a consumer that broke off is tried again; twice as long before each further time. */
    retryAfterMs: 500,
    retryAfterMsMax: 60_000,
  },
} as const;

/** Bounds of webhooks: what is subscribed, what is sent, how often it is tried and how long it is remembered. */
export const WEBHOOK_LIMITS = {
  webhooks: {
    replayWindowSeconds: 300,
    deliveryTimeoutMs: 10_000,
    /** Wait before each attempt, the first included; each is jittered. */
    retryDelaysSeconds: [0, 10, 60, 300, 1_800, 7_200, 21_600, 86_400],
    disableAfterFailingSeconds: 432_000,
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
    /** Waiting test deliveries of one subscription. */
    testsWaitingMax: 10,
    /** Of one request to deliver again what failed. */
    redeliveredMax: 10_000,
    /** People who are told by mail that a subscription was disabled. */
    toldOfFailureMax: 20,
    /** What became of a delivery is kept for so long. */
    keptSeconds: 2_592_000,
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
