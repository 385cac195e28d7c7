/** Limits of the egress: calls of tools, name lookups, and responses. */
export const EGRESS_LIMITS = {
  timeoutMs: 15_000,
  responseBytesMax: 5_242_880,
  /** Bytes or values from which a response is read in a separate thread. */
  smallAnswerBytesMax: 65_536,
  smallAnswerValuesMax: 4_096,
  /**
   * Work above which a small response is processed in a separate thread: characters of all secrets times those of the response, times each
   * text in it, and times what was sent; and characters of a response with a secret that holds quotes or backslashes. Within them hiding
   * takes at most some ten milliseconds.
   */
  hiddenAtOnceProductMax: 33_554_432,
  hiddenAtOnceTextsMax: 2_048,
  sentAtOnceCharsMax: 262_144,
  quotedHiddenAtOnceCharsMax: 16_384,
  /** Values above which JSON is not parsed and the response is returned as text. */
  answerValuesMax: 200_000,
  /** Maximum size of a large response as JSON text. */
  toldBytesMax: 10_485_760,
  /** Large responses that are read or formatted concurrently. */
  largeAnswersMax: 4,
  largeAnswersPerOrganizationMax: 2,
  largeAnswerMs: 5_000,
  /** Heap of the thread that reads large responses. */
  largeAnswerHeapBytesMax: 134_217_728,
  /** Time for an agent to receive its response. */
  largeAnswerTakenWithinMs: 30_000,
  /** Concurrent calls, from the connection to the end of the response. */
  callsMax: 512,
  /** Connection pool for later calls of the same tenant: idle time, total lifetime, number, and destinations. */
  keptIdleMs: 4_000,
  keptLifeMs: 60_000,
  keptConnectionsMax: 512,
  keptConnectionsPerOrganizationMax: 128,
  keptPlacesMax: 1_024,
  /** Idle time for calls that may not be retried on a closed connection, such as those of tools. */
  callKeptIdleMs: 1_000,
  /**
   * Time in which no connection is pooled for a destination that closed an idle one under a request, and the minimum idle time of that
   * connection.
   */
  avoidedMs: 600_000,
  closedUnusedMs: 100,
  callsPerOrganizationMax: 192,
  /** Calls of one organization to one host and port. */
  callsPerHostMax: 128,
  /** Calls with a longer timeout: concurrent ones, and queued ones. */
  longCallsMax: 256,
  longCallsPerOrganizationMax: 32,
  longCallsPerHostMax: 16,
  longCallsWaitingMax: 1_024,
  longCallsWaitingPerOrganizationMax: 128,
  /** Events of one event stream. */
  eventsMax: 10_000,
  callsWaitingMax: 4_096,
  callsWaitingPerOrganizationMax: 512,
  /** Maximum time in the queue, and at most half of the call's timeout. */
  callWaitMsMax: 5_000,
  /** A call that is not sent by then checks again whether it may be. */
  askAgainAfterMs: 100,
  /** Bytes of the bodies of queued and running calls. */
  bodyBytesUnderWayMax: 33_554_432,
  bodyBytesUnderWayPerOrganizationMax: 16_777_216,
  interimAnswersMax: 16,
  /** Consecutive TLS bytes without application data: mainly the peer's certificate chain, which takes about 5,000. */
  tlsSilentBytesMax: 32_768,
  /** TLS sessions that a peer offers over one connection. */
  tlsSessionsMax: 8,
  /** Time of the deciding thread that an organization's unauthenticated peers may use. Beyond it those are delayed, in proportion. */
  unprovenMsMax: 50,
  restPerUnprovenMs: 10,
  /** Concurrent name lookups. */
  lookupsMax: 128,
  lookupsPerOrganizationMax: 16,
  lookupsWaitingMax: 2_048,
  lookupsWaitingPerOrganizationMax: 256,
  lookupMs: 4_000,
  /** Addresses of one name, both families together. */
  addressesMax: 32,
  /** Unreachable destinations are answered on a fixed beat, so that the time does not disclose the reason. */
  unreachableBeatMs: 100,
} as const;
