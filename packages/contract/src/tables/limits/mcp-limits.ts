export const MCP_LIMITS = {
  mcpServers: {
    /** Servers of an environment. */
    serversMax: 200,
    /** Concurrent listings of a process. */
    listingsUnderWayMax: 8,
    /** Time that a requested listing waits in the queue. */
    listingWaitMs: 10_000,
    /** Interval between listings of a server. */
    listingEveryMs: 300_000,
    /** Age of the last complete listing from which calls are refused. */
    listingAgeMaxMs: 900_000,
    /** Maximum backoff for a server that cannot be listed. */
    listingBackoffMaxMs: 3_600_000,
    /** Different listings that are stored of a server. */
    listingsKeptMax: 20,
    /** Timeout of one tool call. */
    timeoutMsMin: 1_000,
    timeoutMsMax: 300_000,
    defaultTimeoutMs: 60_000,
    /** Bytes of a result. */
    resultBytesMax: 1_048_576,
    /** Time that a call which needs an approval is held open. */
    holdSecondsMax: 210,
    defaultHoldSeconds: 25,
    /** Calls that a process holds open: of one agent, of one organization, and in all. Further ones are answered at once. */
    heldPerAgentMax: 100,
    heldPerOrganizationMax: 256,
    heldMax: 1_024,
    /** Interval of heartbeats on an idle stream, so that no proxy closes it. */
    heartbeatMs: 10_000,
    /** Notifications of a call that are queued for a slow client; later ones are dropped. */
    notificationsWaitingMax: 100,
    /** Progress notifications of a call per second. */
    progressPerSecondMax: 20,
    /** Time after which a call is answered as a stream. */
    streamAfterMs: 1_000,
    /** Time for which a denied approval answers identical calls. */
    deniedForMs: 600_000,
    /** Agents that an authorization names. */
    agentsMax: 100,
  },
} as const;
