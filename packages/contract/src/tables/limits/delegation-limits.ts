/** Bounds on delegations and their trees. */
export const DELEGATION_LIMITS = {
  delegations: {
    /** Delegations that the preview of a revocation lists. */
    previewedMax: 200,
    /** Levels of delegations below a root. */
    depthMax: 15,
    listedMax: 200,
    /** Active delegations from one agent to another one. */
    perPairMax: 100,
    /** Actions, and delegations below, that are read to count what was used before a ceiling began to count. */
    pastUsesMax: 20_000,
    graphEdgesDefaultCount: 500,
    graphEdgesMax: 1_000,
  },
} as const;
