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
    /** Earlier cards of a connection that are remembered, so that none of them is accepted again. */
    formerCardsMax: 20,
    /** Verifications that a process makes at the same time. */
    verificationsUnderWayMax: 8,
    /** How long a verification waits for its turn. */
    verificationWaitMs: 10_000,
    /** Time of one call, and of one stream. */
    callMs: 60_000,
    streamMs: 300_000,
    /** Bytes of a result. */
    resultBytesMax: 1_048_576,
    /** A call in progress checks this often that it is still permitted. A stop cuts it within a second, the check included. */
    recheckMs: 300,
    /** Time of the cancellation that follows a stop. */
    cancelMs: 5_000,
    /** Which agent started a task is remembered for 30 days. */
    taskKeptMs: 2_592_000_000,
    /** Characters of the id of a task. */
    taskIdCharsMax: 200,
    /** Life of a token of a remote agent. */
    peerTokenSeconds: 300,
    /** A stream whose message waits for an approval looks at it this often, and for so long. */
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
    /** Events of a stream that wait for a slow client; a client that is slower loses the stream. */
    eventsWaitingMax: 1_000,
  },
} as const;
