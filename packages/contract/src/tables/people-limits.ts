/** Bounds of what people and API keys may be, and of how many are listed at once. */
export const PEOPLE_LIMITS = {
  apiKeys: {
    defaultExpiryDays: 365,
    expiryDaysMax: 730,
    /** Keys that were made with one another, from the person down. */
    chainMax: 4,
  },
  roles: { shownMax: 200 },
  sso: {
    /** Of one organization, and of one connection. */
    connectionsMax: 20,
    domainsMax: 20,
    roleMappingsMax: 100,
    /** Of one person in one organization. */
    identitiesMax: 20,
    /** From the first redirect to the return from the provider. */
    attemptSeconds: 600,
    /** What a provider may answer to one request, and how long all of it may take. */
    answerBytesMax: 262_144,
    requestMs: 5_000,
    /** How far the provider's clock may be from ours. */
    clockToleranceSeconds: 60,
    /** How long what a provider says of itself is kept, how long that it could not be asked, and of how many. */
    discoveryKeptMs: 600_000,
    failureKeptMs: 5_000,
    discoveriesMax: 500,
    /** Of one claim with groups, so many are looked at. */
    claimValuesMax: 1_000,
    /** A lookup of a domain's record, and records of a name that are looked at. */
    recordLookupMs: 4_000,
    recordsMax: 100,
  },
  /** Of one person. */
  memberships: { shownMax: 200 },
} as const;
