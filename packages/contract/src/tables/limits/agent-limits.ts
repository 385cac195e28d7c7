/** Limits of agents. */
export const AGENT_LIMITS = {
  passports: {
    lifetimeDays: 365,
    /** Renewal is due in the last fraction of the lifetime, and at most so many days before the expiry. */
    renewBeforePartCount: 3,
    renewBeforeDaysMax: 30,
  },
  agentTokens: {
    lifetimeSeconds: 900,
  },
  agents: {
    labelsMax: 32,
    labelCharsMax: 200,
    /** Maximum days until the end of an agent. */
    endsInDaysMax: 3_650,
    /** Labels that one query for agents may name. */
    labelFiltersMax: 8,
  },
  bulk: {
    agentsMax: 1_000,
    /** Agents per transaction; its locks are short. */
    batchCount: 25,
    /** Maximum count of what depends on all agents of a preview. */
    countedMax: 20_000,
    /** Concurrent batches of a process, one per organization; and the time that one waits in the queue. */
    batchesAtOnceMax: 4,
    turnWaitMs: 10_000,
    /** Approvals, and delegations, that end with agents in one transaction; each is an event that is built in one go. */
    endedTogetherMax: 200,
    /** Agents that are not begun by then are reported as not done. */
    workMs: 20_000,
  },
  clientLibraries: {
    /** Libraries by name and version that a report lists. */
    recipientsMax: 100,
    /** Newest agents of an organization that a report examines. */
    agentsMax: 20_000,
  },
} as const;
