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
} as const;
