/** Bounds of what waits to be recorded, and of what is recorded together. */
export const RECORDING_LIMITS = {
  batchRowsMax: 256,
  /** Of parameters, explanations and results that are written together. */
  batchCharsMax: 262_144,
  /** Counters that are taken from together, by decisions that bring little else. */
  batchCountersMax: 256,
  batchesInFlightMax: 2,
  /** Decisions that wait to be recorded, in each queue of a plane. */
  queuedMax: 4_096,
  queuedPerOrganizationMax: 2_048,
  /** Questions of those who have proved nothing yet, whether what refused them still stands: in all, and from one address. */
  unprovenQueuedMax: 1_024,
  unprovenQueuedPerAddressMax: 128,
} as const;
