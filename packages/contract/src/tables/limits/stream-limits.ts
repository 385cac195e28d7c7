/** Bounds of streams of server-sent events. */
export const STREAM_LIMITS = {
  /** Between signs of life on an open stream. */
  heartbeatMs: 15_000,
  /** Between looks at whether the credentials of open streams still hold, all of them together. */
  lookMs: 400,
  /** How long one stays open; whoever reads on takes it up again where it ended. */
  lifeMs: 900_000,
  /** Of one event as JSON; of one that is larger its data are left out. */
  eventBytesMax: 65_536,
  /** Open at once: of one organization, and in one process. */
  perOrganizationMax: 32,
  totalMax: 512,
  /** Opened within a minute from one address, whoever opens them. */
  opensPerAddressPerMinute: 240,
  /** Of the header by which a stream is taken up again. */
  lastEventIdCharsMax: 200,
  /** Between looks at the feed while somebody listens. */
  pollMs: 75,
  /** How long the feed may not be readable before those who listen are told. */
  unreadableMs: 10_000,
  /** Handed over at once. */
  chunkBytesMax: 65_536,
  /** What one that reads slowly may have waiting for it, and all of a process together. */
  waitingBytesMax: 1_048_576,
  waitingBytesTotalMax: 67_108_864,
  /** How far back a stream is taken up again. */
  resumeSeconds: 3_600,
  /** Looked at in one step of catching up: events, and transactions of whoever it is. */
  stepEventsMax: 500,
  stepTransactionsMax: 20_000,
} as const;
