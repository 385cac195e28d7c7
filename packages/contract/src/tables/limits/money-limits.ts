/** Limits of exchange rates. */
export const MONEY_LIMITS = {
  exchangeRates: {
    /** Future rates of an organization. */
    upcomingMax: 1_000,
    /** Currency pairs with manual rates of an organization: a gateway holds all of them for each environment. */
    pairsMax: 1_000,
    /** Bytes of the provider's response. */
    responseBytesMax: 262_144,
    refreshSeconds: 3_600,
  },
} as const;
