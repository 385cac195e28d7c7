/** Bounds on delegations and their trees. */
export const DELEGATION_LIMITS = {
  delegations: {
    /** Delegations that the preview of a revocation lists. */
    previewedMax: 200,
    /** Delegations below a root, one below the other. */
    depthMax: 15,
    listedMax: 200,
    /** In force at the same time, from one agent to one other. */
    perPairMax: 100,
    /** Actions that are looked at, and delegations below, to count what was used before a ceiling began to count. */
    pastUsesMax: 20_000,
    graphEdgesDefaultCount: 500,
    graphEdgesMax: 1_000,
  },
} as const;
