/** Limits of the recorder's queues and batches. */
export const RECORDING_LIMITS = {
  batchRowsMax: 256,
  /** Characters of parameters, explanations and results in one batch. */
  batchCharsMax: 262_144,
  /** Counters that are updated together, by decisions with little other data. */
  batchCountersMax: 256,
  batchesInFlightMax: 2,
  /** Connections of each of the three queues that write rows. */
  lanesCount: 3,
  /** Queued decisions in each queue of a plane. */
  queuedMax: 4_096,
  queuedPerOrganizationMax: 2_048,
  /** Queued checks of whether the refusal of an unauthenticated client still holds: in all, and from one address. */
  unprovenQueuedMax: 1_024,
  unprovenQueuedPerAddressMax: 128,
} as const;

/** Limits of recording the outcome of a call. */
export const OUTCOME_LIMITS = {
  outcomes: {
    /** Attempts for a database that does not respond, each as long as its timeout, until an outcome is given up; within these limits. */
    recordAttemptsCount: 12,
    recordWithinMsMin: 5_000,
    recordWithinMsMax: 120_000,
    /** Delay between attempts: initial and maximum. */
    retryMs: 25,
    retryMsMax: 1_000,
    /** Concurrent decisions with an interrupted record, which are searched and closed. */
    unsureMax: 1_024,
    /** Time beyond the maximum of an execution after which it counts as abandoned. */
    marginMs: 5_000,
    /** Time after which an action that its agent executes itself is closed without a report. */
    reportWithinSeconds: 86_400,
    reportWithinSecondsMin: 300,
    reportWithinSecondsMax: 31_536_000,
  },
} as const;
