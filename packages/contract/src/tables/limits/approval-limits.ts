/** Bounds of counts of actions. */
export const ACTION_LIMITS = {
  actionSummary: {
    daysMax: 31,
    actionsMax: 50_000,
    groupsMax: 10,
    bucketsMax: 24,
  },
} as const;

/** Bounds of what is said about an approval, and of who waits for it. */
export const APPROVAL_LIMITS = {
  approvals: {
    /** Of one approval. */
    questionsMax: 10,
    wordingsMax: 10,
    handoversMax: 20,
    questionCharsMax: 1_000,
    answerCharsMax: 2_000,
    /** Parameters that a tool lets approvers narrow, by name. */
    narrowableMax: 50,
    /** Depth of the arguments that an edit is compared through. */
    editDepthMax: 64,
    /** Of the arguments, shown in lists. */
    excerptCharsMax: 200,
    /** Pending approvals that a list of those for one person looks at. */
    mineLookedAtMax: 100,
    /** Reminded in so many-th part of the time there was, the last, and no sooner than so many seconds before its end. */
    remindBeforePartCount: 4,
    remindBeforeSecondsMax: 3_600,
    /** Looked at in one step of a job. */
    atOnceMax: 100,
    waitSecondsMax: 30,
    /** How often a gateway looks for all who wait together. */
    waitLookEveryMs: 300,
    /** Requests that wait at the same time, in one process: of one agent, of one organization, and in all. */
    waitersPerAgentMax: 8,
    waitersPerOrganizationMax: 64,
    waitersMax: 512,
    /** For whom there is no place is held so long and answered as it stands; as many of those at most. */
    waitWithoutPlaceMs: 1_500,
    /** Requests that wait for people, about: of one agent, and of one organization. */
    pendingPerAgentMax: 200,
    pendingPerOrganizationMax: 5_000,
  },
} as const;
