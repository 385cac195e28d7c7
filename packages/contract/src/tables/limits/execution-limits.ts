/** Limits of what a tool may state about its calls. */
export const EXECUTION_LIMITS = {
  execution: {
    /** Attempts of one action, including the first. */
    triesMax: 5,
    backoffMs: 200,
    backoffMsMin: 10,
    backoffMsMax: 5_000,
    tryMsMin: 50,
    /** Timeout of a call, if its tool states one. */
    timeoutMsMin: 1_000,
    timeoutMsMax: 300_000,
    statusesMax: 20,
    contentTypesMax: 10,
    keptPartsMax: 50,
    conditionsMax: 8,
    graphqlQueryCharsMax: 32_768,
  },
} as const;
