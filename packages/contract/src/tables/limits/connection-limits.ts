/** Limits of connections to a plane: number, time, bytes and chunks. */
export const CONNECTION_LIMITS = {
  totalMax: 2_048,
  perAddressMax: 1_024,
  /**
   * Connections that one address opens: the burst, as many as it may hold, and the rate per second, or a multiple of it if an address may
   * send more per minute than `rates.addressPerMinute`, in which the first request of each is counted; and the number of addresses that are
   * tracked.
   */
  openedAtOnceMax: 1_024,
  openedPerSecondMax: 100,
  openersMax: 10_000,
  /**
   * Connections beyond the limits that may send one request, which is refused with Retry-After: in all, of one address, and for how long.
   */
  turnedAwayMax: 64,
  turnedAwayPerAddressMax: 16,
  turnedAwayMs: 1_000,
  /** Accept backlog. If a burst overflows it, all clients retry only after seconds. */
  acceptQueueMax: 4_096,
  /** Accepting sockets; each accepts one connection per event-loop tick. */
  listenersCount: 6,
  /** Reserve for addresses with few connections; an eighth of all if that is less. */
  keptForFewMax: 256,
  fewMax: 16,
  /**
   * If there is no capacity, so many of the largest tenant keys are asked to close a connection, and so many of their connections are
   * examined together.
   */
  holdersAskedMax: 8,
  lookedUpTogetherMax: 32,
  /** Headers of one request. */
  headersMax: 128,
  /** Pipelined requests of one connection. */
  pipelinedMax: 16,
  /** Time that a response may wait unread without progress. */
  unreadMs: 20_000,
  /** Bytes of all unread responses. */
  unreadBytesMax: 67_108_864,
  /** Bytes of a refused body that are read and discarded, and for how long. */
  discardedBytesMax: 1_048_576,
  /** Bytes of a body without an announced length. */
  discardedUnannouncedBytesMax: 65_536,
  discardedMs: 500,
  /** Chunks in which a body arrives (HTTP chunks or packets): so many of any size; beyond this, the minimum average size. */
  smallPiecesMax: 64,
  pieceBytesMin: 128,
} as const;
