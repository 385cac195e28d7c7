/** Bounds of the way out: calls of tools, the names they look up, and what comes back. */
export const EGRESS_LIMITS = {
  timeoutMs: 15_000,
  responseBytesMax: 5_242_880,
  /** An answer of more bytes or values than this is read in a thread of its own. */
  smallAnswerBytesMax: 65_536,
  smallAnswerValuesMax: 4_096,
  /**
   * Beyond these a small answer is told in a thread of its own: characters of all secrets times those of the answer, times each text in it, and times
   * what was sent, and characters of an answer beside a secret that holds quotes or backslashes. Within them hiding takes some ten milliseconds at most.
   */
  hiddenAtOnceProductMax: 33_554_432,
  hiddenAtOnceTextsMax: 2_048,
  sentAtOnceCharsMax: 262_144,
  quotedHiddenAtOnceCharsMax: 16_384,
  /** JSON of more values than this is not built: it is told as the text it is. */
  answerValuesMax: 200_000,
  /** What a large answer may become as JSON text. */
  toldBytesMax: 10_485_760,
  /** Large answers read or told at the same time. */
  largeAnswersMax: 4,
  largeAnswersPerOrganizationMax: 2,
  largeAnswerMs: 5_000,
  /** Of the thread that reads large answers. */
  largeAnswerHeapBytesMax: 134_217_728,
  /** Until an agent has taken what it was told. */
  largeAnswerTakenWithinMs: 30_000,
  /** Calls under way at the same time, from the connection to the end of the answer. */
  callsMax: 512,
  /** Connections that are kept open for later calls of whoever asked for it: how long unused, how long in all, how many, and to how many places. */
  keptIdleMs: 4_000,
  keptLifeMs: 60_000,
  keptConnectionsMax: 512,
  keptConnectionsPerOrganizationMax: 128,
  keptPlacesMax: 1_024,
  /** As long unused where a call that met a closed connection may not be made again, as those of tools. */
  callKeptIdleMs: 1_000,
  /** For so long none is kept to a place that closed one under a request, after it had waited for that at least so long. */
  avoidedMs: 600_000,
  closedUnusedMs: 100,
  callsPerOrganizationMax: 192,
  /** Of one organization, to one host and port. */
  callsPerHostMax: 128,
  /** Calls that may take longer than ordinary ones: under way at the same time, and waiting. */
  longCallsMax: 256,
  longCallsPerOrganizationMax: 32,
  longCallsPerHostMax: 16,
  longCallsWaitingMax: 1_024,
  longCallsWaitingPerOrganizationMax: 128,
  /** Of one event stream. */
  eventsMax: 10_000,
  callsWaitingMax: 4_096,
  callsWaitingPerOrganizationMax: 512,
  /** At most, and no more than half of what the whole call may take. */
  callWaitMsMax: 5_000,
  /** A call that is not on its way by then asks once more whether it may go. */
  askAgainAfterMs: 100,
  /** Bodies of calls that wait or are under way. */
  bodyBytesUnderWayMax: 33_554_432,
  bodyBytesUnderWayPerOrganizationMax: 16_777_216,
  interimAnswersMax: 16,
  /** Over TLS, that come in a row without a byte of an answer: the proof of who the peer is, above all, which takes some 5,000. */
  tlsSilentBytesMax: 32_768,
  /** Sessions that a peer offers over one connection. */
  tlsSessionsMax: 8,
  /**
   * Time of the deciding thread that an organization's peers took without proving themselves. Beyond it those that have not are left, for as many
   * milliseconds per one that was taken.
   */
  unprovenMsMax: 50,
  restPerUnprovenMs: 10,
  /** Names looked up at the same time. */
  lookupsMax: 128,
  lookupsPerOrganizationMax: 16,
  lookupsWaitingMax: 2_048,
  lookupsWaitingPerOrganizationMax: 256,
  lookupMs: 4_000,
  /** Of one name, both families together. */
  addressesMax: 32,
  /** That a destination cannot be reached is answered on a beat, so that the time does not tell why. */
  unreachableBeatMs: 100,
} as const;
