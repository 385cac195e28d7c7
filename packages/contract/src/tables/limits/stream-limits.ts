/** Limits of streams of server-sent events. */
export const STREAM_LIMITS = {
  /** Interval of heartbeats on an open stream. */
  heartbeatMs: 15_000,
  /** Interval at which the credentials of open streams are checked again, all together. */
  lookMs: 400,
  /** Maximum lifetime of a stream; a client resumes where it ended. */
  lifeMs: 900_000,
  /** Bytes of one event as JSON; the data of a larger one are omitted. */
  eventBytesMax: 65_536,
  /** Open streams: of one organization, and in one process. */
  perOrganizationMax: 32,
  totalMax: 512,
  /** Streams opened per minute from one address, by any client. */
  opensPerAddressPerMinute: 240,
  /** Characters of the Last-Event-ID header. */
  lastEventIdCharsMax: 200,
  /** Poll interval of the feed while there are listeners. */
  pollMs: 75,
  /** Time without a readable feed after which listeners get an error. */
  unreadableMs: 10_000,
  /** Bytes that are written at once. */
  chunkBytesMax: 65_536,
  /** Bytes that are queued for a slow reader, and for all of a process together. */
  waitingBytesMax: 1_048_576,
  waitingBytesTotalMax: 67_108_864,
  /** Seconds for which a stream can be resumed. */
  resumeSeconds: 3_600,
  /** Limits of one catch-up step: events, and transactions of all organizations. */
  stepEventsMax: 500,
  stepTransactionsMax: 20_000,
} as const;
