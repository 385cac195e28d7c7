export const MCP_LIMITS = {
  mcpServers: {
    /** Servers of an environment. */
    serversMax: 200,
    /** Listings that a process takes at the same time. */
    listingsUnderWayMax: 8,
    /** How long a listing waits for its turn when a person asks for it. */
    listingWaitMs: 10_000,
    /** A server is listed again after this time. */
    listingEveryMs: 300_000,
    /** Calls are refused when the last complete listing is older. */
    listingAgeMaxMs: 900_000,
    /** A server that cannot be listed is tried again after at most this time. */
    listingBackoffMaxMs: 3_600_000,
    /** Different listings that are kept of a server. */
    listingsKeptMax: 20,
    /** Time of one call of a tool. */
    timeoutMsMin: 1_000,
    timeoutMsMax: 300_000,
    defaultTimeoutMs: 60_000,
    /** Bytes of a result. */
    resultBytesMax: 1_048_576,
    /** How long a call that needs an approval is held open. */
    holdSecondsMax: 210,
    defaultHoldSeconds: 25,
    /** Calls that are held open at the same time, in one process: of one agent, of one organization, and in all. Further ones are answered at once. */
    heldPerAgentMax: 100,
    heldPerOrganizationMax: 256,
    heldMax: 1_024,
    /** A stream that has nothing to say says so this often, so that no proxy closes it. */
    heartbeatMs: 10_000,
    /** Notifications of a call that wait for a slow client; later ones are dropped. */
    notificationsWaitingMax: 100,
    /** Progress notifications of a call in a second. */
    progressPerSecondMax: 20,
    /** A call that takes longer is answered as a stream. */
    streamAfterMs: 1_000,
    /** How long a denied approval answers identical calls. */
    deniedForMs: 600_000,
    /** Agents that an authorization names. */
    agentsMax: 100,
  },
} as const;
