/** Rate limits and concurrency limits for admitting requests. */
export const ADMISSION_LIMITS = {
  admission: {
    /** Concurrent decisions of a process, over all organizations. */
    decidingMax: 48,
    /** Queued requests: of one organization, and in all. */
    waitingPerOrganizationMax: 1_024,
    waitingMax: 4_096,
    /** Time that a request may wait in the queue. */
    waitMs: 1_000,
    /** Delay of the response to a request beyond a rate limit or a share, which slows down clients that retry at once. */
    excessPauseMs: 250,
    /** Concurrent calls to downstreams of a process, over all organizations. */
    callingMax: 1_024,
  },
  rates: {
    /** Sign-ins from one address, which many people may share; their guesses have separate limits. */
    loginPerMinute: 60,
    controlPlanePerMinute: 600,
    gatewayTokenPerMinute: 60,
    gatewayActionsPerMinute: 6_000,
    /** Requests without a credential, from one address. */
    addressPerMinute: 6_000,
    organizationPerMinute: 1_800,
    organizationActionsPerMinute: 30_000,
    /** KiB of bodies larger than `bodies.uncountedBytesMax`, of one organization: to the control plane, and as many to the gateway. */
    organizationKibPerMinute: 262_144,
  },
  /**
   * Requests of one address without a route: the burst, and the rate per second, or a multiple of it if an address may send more per minute
   * than `rates.addressPerMinute`; and the number of addresses that are tracked.
   */
  unrouted: { atOnceMax: 300, perSecondMax: 10, addressesMax: 10_000 },
} as const;
