/** Bounds of what people and API keys may be, and of how many are listed at once. */
export const PEOPLE_LIMITS = {
  apiKeys: {
    defaultExpiryDays: 365,
    expiryDaysMax: 730,
    /** Keys that were made with one another, from the person down. */
    chainMax: 4,
  },
  roles: { shownMax: 200 },
  /** Of one person. */
  memberships: { shownMax: 200 },
} as const;
