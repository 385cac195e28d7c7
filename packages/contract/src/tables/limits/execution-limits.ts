/** Bounds of what a tool may say of its calls. */
export const EXECUTION_LIMITS = {
  execution: {
    /** Of one action, the first try included. */
    triesMax: 5,
    backoffMs: 200,
    backoffMsMin: 10,
    backoffMsMax: 5_000,
    tryMsMin: 50,
    /** Of a call whose tool states how long it may take. */
    timeoutMsMin: 1_000,
    timeoutMsMax: 300_000,
    statusesMax: 20,
    contentTypesMax: 10,
    keptPartsMax: 50,
    conditionsMax: 8,
    graphqlQueryCharsMax: 32_768,
  },
} as const;
