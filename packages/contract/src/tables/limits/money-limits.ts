/** Bounds on exchange rates. */
export const MONEY_LIMITS = {
  exchangeRates: {
    /** Rates of an organization that wait for their time. */
    upcomingMax: 1_000,
    /** Pairs of currencies that people of an organization state a rate of: each environment that a gateway decides in holds all of them. */
    pairsMax: 1_000,
    /** Of what the provider answers. */
    answerBytesMax: 262_144,
    refreshSeconds: 3_600,
  },
} as const;
