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
    /** Of an organization whose step broke off. */
    stretchBrokenPauseMs: 30_000,
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
