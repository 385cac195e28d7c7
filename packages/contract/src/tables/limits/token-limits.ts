/** Bounds of the OAuth endpoints of agents. */
export const TOKEN_LIMITS = {
  tokenExchange: {
    /** Maximum length of a token that is read or issued. */
    tokenCharsMax: 8_192,
    audienceCharsMax: 2_048,
    scopeCharsMax: 2_000,
  },
} as const;
