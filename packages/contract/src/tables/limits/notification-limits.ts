/** Limits of notifications and chat channels: batch sizes, retention, mail and post rates. */
export const NOTIFICATION_LIMITS = {
  notifications: {
    /** Recipients of one notice. */
    recipientsMax: 200,
    /** Notifications stored for one person in one organization: the oldest read ones are deleted first. */
    perPersonMax: 500,
    /** Notifications of one kind that are listed individually within the window; further ones are merged into one with a count. */
    listedIndividuallyMax: 20,
    listedIndividuallyWindowSeconds: 600,
    /** Notices of one organization that are delivered per step, and the age at which a notice is dropped. */
    noticesPerStepMax: 25,
    noticeLifetimeSeconds: 86_400,
    /** Retention of delivery records of notices. */
    noticeRetentionSeconds: 691_200,
    sweepBatchMax: 1_000,
    /** Mails to one person per hour, from all organizations: half of the limit per address, so that sign-in codes are still delivered. */
    mailsPerHourMax: 10,
    /** Interval between mails: initial, doubling within the hour, and maximum. */
    mailIntervalSeconds: 15,
    mailIntervalSecondsMax: 600,
    /** Notifications per mail, and recipients mailed per step of one organization. */
    notificationsPerMailMax: 500,
    mailRecipientsPerStepMax: 20,
    /** Days before an expiry at which a warning is sent; for a shorter lifetime, when a third of it is left. */
    warnBeforeDays: 7,
    warningsPerStepMax: 50,
    /** Delegations with a shorter lifetime expire without a warning. */
    warnedLifetimeSecondsMin: 86_400,
    /** Poll interval for notices and for mails. */
    lookEveryMs: 500,
  },
  /** Limits of chat messages. */
  channels: {
    perOrganizationMax: 20,
    urlLengthMax: 1_024,
    /** Messages of one kind that are queued individually per channel; further ones increase the count of the newest. */
    listedIndividuallyMax: 50,
    /** Queued messages per post, and messages of one kind that a post lists individually. */
    messagesPerPostMax: 200,
    listedPerPostMax: 5,
    sentenceCharsMax: 500,
    postCharsMax: 3_000,
    /** Interval between posts to one channel, as Slack requires. */
    everyMs: 1_000,
    timeoutMs: 10_000,
    responseBytesMax: 4_096,
    errorCharsMax: 300,
    /** Backoff after consecutive failed posts, with jitter. */
    retryDelaysSeconds: [10, 60, 300, 1_800, 3_600],
    /** A channel is disabled after it failed for this long, or after this many consecutive responses that it no longer exists. */
    disableAfterFailingSeconds: 86_400,
    goneResponsesMax: 3,
    /** Age at which a queued message is dropped. */
    messageLifetimeSeconds: 86_400,
    /** Poll interval while egress is off. */
    egressOffPollSeconds: 60,
    queuedTestsMax: 5,
    /** Concurrent posts of one worker, in total and per organization. */
    concurrentSendsMax: 64,
    concurrentSendsPerOrganizationMax: 4,
    lookEveryMs: 300,
    /** Lease of a channel by a worker; longer than the timeout of a post. */
    leaseMs: 30_000,
    stopTimeoutMs: 4_000,
  },
} as const;
