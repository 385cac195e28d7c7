/** Limits of mail: recipients, rates and retries. */
export const MAIL_LIMITS = {
  mail: {
    /** Mails to one address per hour, from all senders; each template has a limit of its own in addition. */
    perRecipientPerHourMax: 20,
    /** Mails of one organization per hour; further ones wait. */
    perOrganizationPerHourMax: 500,
    /** Mails requested from one address without a session, per hour. */
    perStrangerPerHourMax: 300,
    /** Queued mails of one organization or unauthenticated client; further ones are refused. */
    waitingPerSenderMax: 1_000,
    /** Senders that are considered for the next mails, of both kinds, and the oldest mails of each. */
    sendersConsideredMax: 500,
    perSenderConsideredMax: 10,
    attemptsMax: 12,
    /** Delay between attempts: initial and maximum. */
    retrySeconds: 5,
    retrySecondsMax: 900,
    /** Default time for which a mail is retried. */
    lifetimeSeconds: 86_400,
    /** Timeout of one attempt, from the connection to the server's response. */
    sendMs: 10_000,
    /** Lease of a mail for a plane; longer than an attempt takes. */
    leaseSeconds: 60,
    /** Concurrent mails of one plane. */
    inFlightMax: 5,
    /** Poll interval for mails. */
    lookEveryMs: 500,
    /** Retention of results, and of mails in the outbox. */
    keptSeconds: 86_400,
    /** Rows per cleanup step. */
    sweepBatchMax: 500,
    /** Characters of one value in a mail. */
    valueLengthMax: 500,
    /** Mails that the outbox lists. */
    listedMax: 50,
  },
} as const;
