/** Bounds of what waits to be recorded, and of what is recorded together. */
export const RECORDING_LIMITS = {
  batchRowsMax: 256,
  /** Of parameters, explanations and results that are written together. */
  batchCharsMax: 262_144,
  /** Counters that are taken from together, by decisions that bring little else. */
  batchCountersMax: 256,
  batchesInFlightMax: 2,
  /** Connections of each of the three queues that write rows. */
  lanesCount: 3,
  /** Decisions that wait to be recorded, in each queue of a plane. */
  queuedMax: 4_096,
  queuedPerOrganizationMax: 2_048,
  /** Questions of those who have proved nothing yet, whether what refused them still stands: in all, and from one address. */
  unprovenQueuedMax: 1_024,
  unprovenQueuedPerAddressMax: 128,
} as const;

/** Bounds on how long the outcome of a call is tried to be recorded. */
export const OUTCOME_LIMITS = {
  outcomes: {
    /** Of a database that does not answer, each as long as its timeout, until an outcome is given up; within these bounds. */
    recordAttemptsCount: 12,
    recordWithinMsMin: 5_000,
    recordWithinMsMax: 120_000,
    /** Between attempts: at first, and at most. */
    retryMs: 25,
    retryMsMax: 1_000,
    /** Decisions at the same time whose record broke off, and that are looked for to be closed. */
    unsureMax: 1_024,
    /** Beyond what an execution may take, until it counts as left behind. */
    marginMs: 5_000,
    /** Until an action that its agent executes itself is closed, when the agent reports nothing. */
    reportWithinSeconds: 86_400,
    reportWithinSecondsMin: 300,
    reportWithinSecondsMax: 31_536_000,
  },
} as const;
