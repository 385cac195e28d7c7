/** Bounds of streams of server-sent events. */
export const STREAM_LIMITS = {
  /** Between signs of life on an open stream, and between looks at whether its credential still holds. */
  heartbeatMs: 15_000,
  /** How long one stays open; whoever reads on takes it up again where it ended. */
  lifeMs: 900_000,
  /** Of one event as JSON. */
  eventBytesMax: 65_536,
  /** Open at once: of one organization, and in one process. */
  perOrganizationMax: 32,
  totalMax: 512,
  /** Of the header by which a stream is taken up again. */
  lastEventIdCharsMax: 200,
} as const;
