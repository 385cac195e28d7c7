/** Bounds of requests at a proxy that are decided as calls of a tool. */
export const ROUTE_LIMITS = {
  routes: {
    routesPerToolMax: 50,
    routePathCharsMax: 500,
    mappingCharsMax: 60,
    /** Characters of the path and query of a request, and its segments. */
    targetCharsMax: 8_000,
    segmentsMax: 64,
    /** Parameters of its query. */
    queryMembersMax: 100,
  },
} as const;
