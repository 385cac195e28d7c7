/** What connections to a plane may hold and cost: in number, time, bytes and pieces. */
export const CONNECTION_LIMITS = {
  totalMax: 2_048,
  perAddressMax: 1_024,
  /**
   * Connections that one address opens: at once, as many as it may hold, and after that within a second, or as much more as an address may ask in a minute over
   * `rates.addressPerMinute`, which the first request of each is counted in; and of how many addresses that is known.
   */
  openedAtOnceMax: 1_024,
  openedPerSecondMax: 100,
  openersMax: 10_000,
  /** Connections beyond the bounds that may send one request, which is refused with Retry-After: in all, of one address, and for how long. */
  turnedAwayMax: 64,
  turnedAwayPerAddressMax: 16,
  turnedAwayMs: 1_000,
  /** That wait to be accepted. Where a burst overflows this, clients of everybody try again only after seconds. */
  acceptQueueMax: 4_096,
  /** That accept, each one connection in a turn of the event loop. */
  listenersCount: 6,
  /** For addresses that hold few; an eighth of all where that is less. */
  keptForFewMax: 256,
  fewMax: 16,
  /** When there is no room, of those who hold most so many are asked for a connection to close, and so many of theirs are looked up together. */
  holdersAskedMax: 8,
  lookedUpTogetherMax: 32,
  /** Of one request. */
  headersMax: 128,
  /** Requests that one connection may send ahead of their answers. */
  pipelinedMax: 16,
  /** How long an answer may lie unread without a byte of it being taken. */
  unreadMs: 20_000,
  /** Of all answers that nobody has read yet. */
  unreadBytesMax: 67_108_864,
  /** Of a body that was refused already, and how long what is left of it is read. */
  discardedBytesMax: 1_048_576,
  /** Of one whose length was not announced. */
  discardedUnannouncedBytesMax: 65_536,
  discardedMs: 500,
  /** Pieces in which a body arrives, chunks or what a packet holds: so many of any size, and with more of them so many bytes each on average. */
  smallPiecesMax: 64,
  pieceBytesMin: 128,
} as const;
