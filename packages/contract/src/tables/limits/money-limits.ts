/** Bounds on exchange rates. */
export const MONEY_LIMITS = {
  exchangeRates: {
    /** Rates of an organization that wait for their time. */
    upcomingMax: 1_000,
    /** Of what the provider answers. */
    answerBytesMax: 262_144,
    refreshSeconds: 3_600,
  },
} as const;
