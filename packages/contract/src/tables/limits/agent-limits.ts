/** Bounds on agents, one by one and in numbers. */
export const AGENT_LIMITS = {
  passports: {
    lifetimeDays: 365,
    /** Renewed in so many-th part of their life, the last, and no sooner than so many days before their end. */
    renewBeforePartCount: 3,
    renewBeforeDaysMax: 30,
  },
  agentTokens: {
    lifetimeSeconds: 900,
  },
  agents: {
    labelsMax: 32,
    labelCharsMax: 200,
    /** An end may be set no further ahead. */
    endsInDaysMax: 3_650,
    /** Labels that one question for agents may name. */
    labelFiltersMax: 8,
  },
  bulk: {
    agentsMax: 1_000,
    /** Changed in one transaction, whose locks nobody waits for long. */
    batchCount: 25,
    /** Of what hangs on all agents of a preview together, counted and no more. */
    countedMax: 20_000,
    /** Batches under way in one process, one of each organization; for how long one waits for its turn. */
    batchesAtOnceMax: 4,
    turnWaitMs: 10_000,
    /** Approvals, and delegations, that end with agents in one transaction; each is an event that is built in one go. */
    endedTogetherMax: 200,
    /** Whatever is not begun by then is answered as not done. */
    workMs: 20_000,
  },
  clientLibraries: {
    /** Libraries by name and version that a report tells one by one. */
    toldMax: 100,
    /** Agents of an organization that a report looks at, the newest. */
    agentsMax: 20_000,
  },
} as const;
