/** Limits of counts of actions. */
export const ACTION_LIMITS = {
  actionSummary: {
    daysMax: 31,
    actionsMax: 50_000,
    groupsMax: 10,
    bucketsMax: 24,
  },
} as const;

/** Limits of approvals, their comments and their waiters. */
export const APPROVAL_LIMITS = {
  approvals: {
    /** Per approval. */
    questionsMax: 10,
    wordingsMax: 10,
    handoversMax: 20,
    questionCharsMax: 1_000,
    answerCharsMax: 2_000,
    /** Parameters of a tool that approvers may edit, by name. */
    narrowableMax: 50,
    /** Depth of the arguments that an edit is compared through. */
    editDepthMax: 64,
    /** Characters of the arguments in lists. */
    excerptCharsMax: 200,
    /** Pending approvals that are examined for the list of one person. */
    mineLookedAtMax: 100,
    /** A reminder is due in the last fraction of the time, and at most so many seconds before the end. */
    remindBeforePartCount: 4,
    remindBeforeSecondsMax: 3_600,
    /** Rows per step of a job. */
    atOnceMax: 100,
    waitSecondsMax: 30,
    /** Interval at which a gateway polls for all waiting requests together. */
    waitLookEveryMs: 300,
    /** Concurrently waiting requests of a process: of one agent, of one organization, and in all. */
    waitersPerAgentMax: 8,
    waitersPerOrganizationMax: 64,
    waitersMax: 512,
    /** Requests without a slot are held so long and answered with the current state; and the maximum number of those. */
    waitWithoutPlaceMs: 1_500,
    /** Approximate number of requests that wait for people: of one agent, and of one organization. */
    pendingPerAgentMax: 200,
    pendingPerOrganizationMax: 5_000,
  },
} as const;
