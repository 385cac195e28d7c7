export const A2A_LIMITS = {
  a2a: {
    /** Connections of an environment. */
    connectionsMax: 200,
    /** Keys that are registered for a connection. */
    keysMax: 5,
    /** Bytes of an agent card. */
    cardBytesMax: 65_536,
    /** Time of reading a card or a challenge. */
    cardMs: 10_000,
    /** Signatures, interfaces and extensions of a card that are read. */
    cardItemsMax: 50,
    /** Earlier cards of a connection that are stored, so that none of them is accepted again. */
    formerCardsMax: 20,
    /** Concurrent verifications of a process. */
    verificationsUnderWayMax: 8,
    /** Time that a verification waits in the queue. */
    verificationWaitMs: 10_000,
    /** Time of one call, and of one stream. */
    callMs: 60_000,
    streamMs: 300_000,
    /** Bytes of a result. */
    resultBytesMax: 1_048_576,
    /** Interval at which a call in progress checks that it is still permitted. A stop cuts it within a second, the check included. */
    recheckMs: 200,
    /** Timeout of the cancellation after a stop. */
    cancelMs: 5_000,
    /** Retention of the agent that started a task: 30 days. */
    taskKeptMs: 2_592_000_000,
    /** Characters of the id of a task. */
    taskIdCharsMax: 200,
    /** Lifetime of a token of a remote agent. */
    peerTokenSeconds: 300,
    /** Poll interval and maximum wait of a stream whose message waits for an approval. */
    waitSliceMs: 500,
    heldStreamMs: 300_000,
    /** Tasks that a message may refer to. */
    referencesMax: 20,
    /** A published card may be cached for a minute. */
    cardCacheSeconds: 60,
    /** Skills on a published card, the words and examples of each, and the characters of a text. */
    listingBytesMax: 60_000,
    skillsMax: 20,
    skillWordsMax: 10,
    skillExamplesMax: 5,
    listingTextCharsMax: 500,
    /** Push configs of a task and of an agent over one connection, and notifications that the token of each is accepted for. */
    pushConfigsPerTaskMax: 5,
    pushConfigsPerAgentMax: 1_000,
    notificationsPerTokenMax: 200,
    /** Bytes of a push notification. */
    notificationBytesMax: 131_072,
    /** Characters of the token of a push notification that is looked up. */
    notificationTokenCharsMax: 100,
    /** Characters of the address of a partner that receives push notifications, of its token, and of its credentials. */
    pushUrlCharsMax: 2_000,
    pushTokenCharsMax: 500,
    pushCredentialsCharsMax: 4_000,
    /** Attempts to notify a partner of a state, the first wait after a failure, and the longest one; each failure doubles it. */
    pushAttemptsMax: 10,
    pushRetryMs: 5_000,
    pushRetryMsMax: 3_600_000,
    /** Lease of a notification, and interval at which one that waits for an approval is looked at. */
    pushLeaseMs: 60_000,
    pushApprovalMs: 5_000,
    /** Events of a stream that are queued for a slow client; a slower client loses the stream. */
    eventsWaitingMax: 1_000,
  },
} as const;
