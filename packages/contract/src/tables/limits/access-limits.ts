/** Bounds of the AuthZEN endpoints. */
export const ACCESS_LIMITS = {
  access: {
    nameCharsMax: 100,
    idCharsMax: 256,
    /** Evaluations of one batch. */
    batchMax: 50,
    /** Results of one page of a search, and candidates that one page examines. */
    searchMax: 200,
    /** A search that takes longer ends its page early. */
    searchMs: 2_000,
  },
} as const;
