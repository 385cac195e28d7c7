/** Bounds of what people and API keys may be, and of how many are listed at once. */
export const PEOPLE_LIMITS = {
  apiKeys: {
    defaultExpiryDays: 365,
    expiryDaysMax: 730,
    workspacesMax: 50,
    /** How long two secrets of a key are accepted after a rotation. */
    defaultOverlapSeconds: 86_400,
    overlapSecondsMax: 604_800,
    /** Before its end somebody is told, or before the last third of its life where that is shorter. */
    warnBeforeDays: 7,
    /** People who are told of one key. */
    toldMax: 10,
    /** Keys that were made with one another, from the person down. */
    chainMax: 4,
  },
  /** Of an organization, and of a key, from which calls are accepted. */
  networks: { countMax: 100 },
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
  /** Of one person. */
  ownSessions: { shownMax: 200 },
  passwordResets: {
    /** Between two codes that an address asks for, and how many within an hour. */
    resendAfterSeconds: 60,
    perHourMax: 5,
    /** Rows that are swept at once. */
    sweptMax: 20,
    /** How long what an operator was shown is good for. */
    operatorLifetimeSeconds: 3_600,
  },
  roles: { shownMax: 200 },
  /** Of one person. */
  memberships: { shownMax: 200 },
  /** Between the wish to delete an organization and its end, within which it is taken back. */
  organizationDeletion: { graceDays: 7 },
} as const;
