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
  secondFactors: {
    /** Of one person, codes and passkeys together. */
    countMax: 20,
    /** Sign-ins of one person that wait for their second factor; with one more the oldest ends. */
    challengesMax: 20,
    challengeLifetimeSeconds: 600,
    challengeAttemptsMax: 5,
    /** How long a generator of codes waits for its first code, and a passkey for its ceremony. */
    enrolmentLifetimeSeconds: 600,
    passkeyLifetimeSeconds: 300,
    deviceApprovalLifetimeSeconds: 120,
    /** Steps of half a minute that a code may be early or late. */
    stepsAside: 1,
  },
  roles: { shownMax: 200 },
  /** Of one person. */
  memberships: { shownMax: 200 },
} as const;
