/** Bounds of what people and API keys may be, and of how many are listed at once. */
export const PEOPLE_LIMITS = {
  apiKeys: {
    defaultExpiryDays: 365,
    expiryDaysMax: 730,
    /** Keys that were made with one another, from the person down. */
    chainMax: 4,
  },
  cliRequests: {
    lifetimeSeconds: 600,
    /** That wait for a person, asked for by one address, and in all. */
    pendingPerAddressMax: 10,
    pendingMax: 10_000,
    /** Between two questions of a terminal; by so much longer each time it asks too soon, up to the last. */
    pollSeconds: 5,
    pollSlowerSeconds: 5,
    pollSecondsMax: 60,
  },
  roles: { shownMax: 200 },
  /** Of one person. */
  memberships: { shownMax: 200 },
} as const;
