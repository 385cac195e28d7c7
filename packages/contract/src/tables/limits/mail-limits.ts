/** Bounds of what is mailed, to whom, how often, and for how long it is tried. */
export const MAIL_LIMITS = {
  mail: {
    /** To one address within an hour, whoever sends them; besides, each template has a bound of its own. */
    perRecipientPerHourMax: 20,
    /** Of one organization within an hour; what is over waits. */
    perOrganizationPerHourMax: 500,
    /** Asked for from one address by who has not signed in, within an hour. */
    perStrangerPerHourMax: 300,
    /** That wait, of one organization or stranger; what is over is not taken. */
    waitingPerSenderMax: 1_000,
    /** Senders that are looked at to choose the next ones, of strangers and of organizations, and the mails of each that waited longest. */
    sendersConsideredMax: 500,
    perSenderConsideredMax: 10,
    attemptsMax: 12,
    /** Between attempts: at first, and at most. */
    retrySeconds: 5,
    retrySecondsMax: 900,
    /** How long a mail that says nothing else is tried. */
    lifetimeSeconds: 86_400,
    /** One attempt, from the connection to the server's answer. */
    sendMs: 10_000,
    /** How long a plane has a mail for itself; longer than an attempt takes. */
    leaseSeconds: 60,
    /** At the same time, from one plane. */
    inFlightMax: 5,
    /** How often a plane looks for mails. */
    lookEveryMs: 500,
    /** What became of a mail is kept for so long, and in the outbox the mail itself. */
    keptSeconds: 86_400,
    /** Rows that are swept at once. */
    sweptMax: 500,
    /** Characters of one value in a mail. */
    valueLengthMax: 500,
    /** What the outbox lists. */
    listedMax: 50,
  },
} as const;
