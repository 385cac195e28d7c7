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
