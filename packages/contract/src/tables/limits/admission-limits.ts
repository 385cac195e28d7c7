/** Bounds on who is let in, and how often. */
export const ADMISSION_LIMITS = {
  admission: {
    /** Decisions under way in one process, all organizations together. */
    decidingMax: 48,
    /** Requests that wait for their turn: of one organization, and in all. */
    waitingPerOrganizationMax: 1_024,
    waitingMax: 4_096,
    /** How long a request may wait for its turn. */
    waitMs: 1_000,
    /** Until a request beyond a budget or a share is told so: whoever asks again at once asks only so often. */
    excessPauseMs: 250,
    /** Calls to downstreams under way in one process, all organizations together. */
    callingMax: 1_024,
  },
  rates: {
    /** From one address, which many people may share; their guesses have bounds of their own. */
    loginPerMinute: 60,
    controlPlanePerMinute: 600,
    gatewayTokenPerMinute: 60,
    gatewayActionsPerMinute: 6_000,
    /** Requests without a credential, from one address. */
    addressPerMinute: 6_000,
    organizationPerMinute: 1_800,
    organizationActionsPerMinute: 30_000,
    /** KiB of bodies that are larger than `bodies.uncountedBytesMax`, of one organization: to the control plane, and as many to the gateway. */
    organizationKibPerMinute: 262_144,
  },
  /**
   * Requests of one address that no route takes: at once, and after that within a second, or as much more as an address may ask in a minute
   * over `rates.addressPerMinute`; and of how many addresses that is known.
   */
  unrouted: { atOnceMax: 300, perSecondMax: 10, addressesMax: 10_000 },
} as const;
