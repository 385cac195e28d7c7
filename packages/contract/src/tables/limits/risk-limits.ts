export const RISK_LIMITS = {
  /** Flow contexts of an agent that are kept, and the length of their names. */
  contextsPerAgentMax: 1_000,
  contextNameCharsMax: 64,
  /** Keys of stores of an environment with which labels are kept. Further ones are kept for all keys together. */
  keptKeysPerEnvironmentMax: 10_000,
  /** Bytes of flow contexts that a gateway caches. */
  heldContextsBytesMax: 33_554_432,
  /** Entries of the lists in risk settings. */
  networksMax: 100,
  destinationsMax: 200,
  processorsMax: 50,
  /** Text of a request that is searched for secrets, personal data and marks of injection, in characters. */
  scannedCharsMax: 16_384,
  /** Texts of a request that are searched. */
  scannedTextsMax: 500,
  /** Permitted actions and time from which signals of novelty count. */
  learnedActionsMin: 50,
  learnedAfterMs: 86_400_000,
  /** Age of a folded history from which signals that need it are unknown. */
  staleAfterMs: 60_000,
  /** Interval at which a process reads changed histories. */
  pollEveryMs: 1_000,
  /** Agents whose history a process caches, and those read again in one round. */
  cachedAgentsMax: 10_000,
  polledAgentsMax: 1_000,
  /** Open risk events of an agent, and new ones of an organization per hour. */
  openEventsPerAgentMax: 50,
  newEventsPerHourMax: 200,
  /** Agents that a summary of risk events lists. */
  summarizedAgentsMax: 50,
  /** Decisions that a count by score reads, and how far back. */
  scoredDecisionsMax: 10_000,
  scoredAfterMs: 86_400_000,
  /** Failed sign-ins of an agent within a time that are reported, how often, and agents that a gateway counts them for. */
  assertionFailuresMin: 50,
  assertionFailuresWithinMs: 300_000,
  assertionFailuresReportMs: 60_000,
  assertionFailuresAgentsMax: 10_000,
  /** Time after which a risk event that does not recur is closed. */
  staleEventAfterMs: 86_400_000,
} as const;
