/** Limits of webhooks: subscriptions, deliveries, retries and retention. */
export const WEBHOOK_LIMITS = {
  webhooks: {
    /** Poll interval for how far organizations are behind. */
    watchStretchesEveryMs: 5_000,
    replayWindowSeconds: 300,
    deliveryTimeoutMs: 10_000,
    /** Delay before each attempt, including the first, with jitter. */
    retryDelaysSeconds: [0, 10, 60, 300, 1_800, 7_200, 21_600, 86_400],
    disableAfterFailingSeconds: 432_000,
    /** Maximum of Retry-After; the delay is never less than the regular one. */
    retryAfterSecondsMax: 3_600,
    /** Attempts of one delivery on a pooled connection that had been closed, which do not count. */
    staleAttemptsMax: 8,
    previousSecretSeconds: 86_400,
    /** Subscriptions of one organization. */
    subscriptionsMax: 50,
    urlLengthMax: 2_048,
    /** Bytes of one body; optional event data are omitted if it would be larger. */
    bodyBytesMax: 65_536,
    /** Bytes of a response that are read, and stored. */
    responseBytesMax: 4_096,
    excerptCharsMax: 500,
    /** Attempts of one delivery that are shown. */
    triesShownMax: 16,
    /** Queued deliveries for one receiver; beyond this the oldest fail, so many at once. */
    waitingMax: 100_000,
    givenUpMax: 5_000,
    /**
     * Events of one organization whose deliveries are created immediately; further ones are noted, and created so many events at a time in
     * rotation with other organizations, as long as no receiver that accepts deliveries has more queued than that.
     */
    directEventsMax: 100,
    stretchEventsMax: 100,
    stretchWaitingMin: 1_000,
    stretchPauseMs: 1_000,
    /** Delay after an organization's step failed. */
    stretchBrokenPauseMs: 30_000,
    /** Age from which a noted event is dropped. */
    stretchSecondsMax: 86_400,
    /** Queued test deliveries of one subscription. */
    queuedTestsMax: 10,
    /** Deliveries of one request to redeliver. */
    redeliveredMax: 10_000,
    /** Retention of deliveries, and per subscription the number of delivered and failed ones. */
    keptSeconds: 2_592_000,
    keptMax: 100_000,
    sweepBatchMax: 2_000,
    /** Concurrent deliveries of one worker, and those among them to slow receivers, and to unknown ones. */
    concurrentSendsMax: 320,
    unprovenSendsMax: 128,
    concurrentSendsPerOrganizationMax: 96,
    organizationUnprovenSendsMax: 32,
    receiverSendsMax: 64,
    slowReceiverSendsMax: 8,
    /** Response time of a fast receiver. */
    quickMs: 1_000,
    /** Poll interval for due deliveries. */
    lookEveryMs: 150,
    /** Idle time after which a receiver is released to other workers. */
    receiverIdleMs: 2_000,
    /** Time for running attempts when a worker stops. */
    stopTimeoutMs: 4_000,
    /** Receivers that one worker serves concurrently. */
    receiversMax: 1_024,
    /** Lease of a receiver, and of a delivery with its attempt. */
    receiverLeaseMs: 6_000,
    deliveryLeaseMs: 25_000,
  },
} as const;
