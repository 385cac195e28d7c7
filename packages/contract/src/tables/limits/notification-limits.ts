/** Limits of notifications: how many at once, retention, and mail rates. */
export const NOTIFICATION_LIMITS = {
  notifications: {
    /** Recipients of one notice. */
    toldMax: 200,
    /** Notifications stored for one person in one organization: the oldest read ones are deleted first. */
    perPersonMax: 500,
    /** Notifications of one kind that are listed singly within the window; further ones become one with a count. */
    oneByOneMax: 20,
    oneByOneWindowSeconds: 600,
    /** Notices that are delivered in one step, of one organization; and the age from which a notice is dropped. */
    noticesAtOnceMax: 25,
    noticeLifetimeSeconds: 86_400,
    /** Retention of the fact that a notice was delivered. */
    noticeKeptSeconds: 691_200,
    sweptMax: 1_000,
    /** Mails to one person per hour, from all organizations: half of the address's limit, so that codes still arrive. */
    mailsPerHourMax: 10,
    /** Interval between mails: initial, doubling within the hour, and maximum. */
    mailEverySeconds: 15,
    mailEverySecondsMax: 600,
    /** Notifications that one mail contains, and people mailed in one step of one organization. */
    mailedTogetherMax: 500,
    mailedPeopleMax: 20,
    /** Days before an expiry at which a warning is sent; the last third of a shorter lifetime. */
    warnBeforeDays: 7,
    warnedAtOnceMax: 50,
    /** Delegations with a shorter lifetime expire without a warning. */
    warnedLifeSecondsMin: 86_400,
    /** Poll intervals for notices, and for mails. */
    lookEveryMs: 500,
  },
  /** Limits of chat messages. */
  channels: {
    perOrganizationMax: 20,
    urlLengthMax: 1_024,
    /** Messages of one kind that are queued singly for one channel; further ones are counted on the newest of them. */
    oneByOneMax: 50,
    /** Queued messages that one post contains, and those of one kind that it lists singly. */
    gatheredMax: 200,
    toldOneByOneMax: 5,
    sentenceCharsMax: 500,
    postCharsMax: 3_000,
    /** Interval between posts to one channel, as Slack requires. */
    everyMs: 1_000,
    timeoutMs: 10_000,
    answerBytesMax: 4_096,
    errorCharsMax: 300,
    /** Backoff after consecutive failed posts, with jitter. */
    retryDelaysSeconds: [10, 60, 300, 1_800, 3_600],
    /** A channel is disabled after failing for so long, or after so many consecutive statements of the receiver that it is gone. */
    disableAfterFailingSeconds: 86_400,
    goneAnswersMax: 3,
    /** Age from which a queued message is dropped. */
    messageLifetimeSeconds: 86_400,
    /** Poll interval while egress is off. */
    offPauseSeconds: 60,
    testsWaitingMax: 5,
    /** Concurrent posts of one worker, and those of one organization among them. */
    sendsMax: 64,
    organizationSendsMax: 4,
    lookEveryMs: 300,
    /** Lease of a channel for a worker: longer than a post may take. */
    leaseMs: 30_000,
    stoppedWithinMs: 4_000,
  },
} as const;
