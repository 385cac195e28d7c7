/** Bounds of what people and API keys may be, and of how many are listed at once. */
export const PEOPLE_LIMITS = {
  apiKeys: {
    defaultExpiryDays: 365,
    expiryDaysMax: 730,
    /** Keys that were made with one another, from the person down. */
    chainMax: 4,
  },
  /** Of an organization, and of a key, from which calls are accepted. */
  networks: { countMax: 100 },
  roles: { shownMax: 200 },
  /** Of one person. */
  memberships: { shownMax: 200 },
  /** Between the wish to delete an organization and its end, within which it is taken back. */
  organizationDeletion: { graceDays: 7 },
} as const;
