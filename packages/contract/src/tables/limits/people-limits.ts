/** Limits of people, API keys and their lists. */
export const PEOPLE_LIMITS = {
  apiKeys: {
    defaultExpiryDays: 365,
    expiryDaysMax: 730,
    workspacesMax: 50,
    /** Time for which two secrets of a key are accepted after a rotation. */
    defaultOverlapSeconds: 86_400,
    overlapSecondsMax: 604_800,
    /** Length of a chain of keys that created one another, below the person. */
    chainMax: 4,
    /** Active keys of one organization; and the newest ended ones that are listed. */
    perOrganizationMax: 1_000,
    endedShownMax: 1_000,
  },
  /** `ownMax`: custom roles of an organization. */
  roles: { shownMax: 200, ownMax: 100 },
  members: {
    workspacesMax: 50,
    /** Approvals that are examined, and keys that are reported by name, in one change. */
    derivedMax: 500,
  },
  invitations: {
    lifetimeDays: 7,
    /** Open invitations of one organization. */
    pendingMax: 200,
    /** Mails of one invitation, including the first. */
    mailsMax: 5,
    /** Minimum interval between them. */
    resendAfterSeconds: 60,
    /** Mails of one organization, and to one address from it, per day. */
    mailsPerDayMax: 500,
    mailsToAddressPerDayMax: 10,
  },
  /** Allowed networks of an organization, and of a key. */
  networks: { countMax: 100 },
  secondFactors: {
    /** Codes and passkeys of one person that count in the same organizations. */
    countMax: 20,
    /** Factors of one person in one response, in any organization. */
    shownMax: 200,
    /** Wrong guesses at one factor, or at the password, by sign-ins of all providers together. */
    vouchedGuessesMax: 30,
    /** Pending second factors of one person; a further one ends the oldest. */
    challengesMax: 20,
    challengeLifetimeSeconds: 600,
    challengeAttemptsMax: 5,
    /** Time to confirm a TOTP secret with its first code, and to complete a passkey ceremony. */
    enrolmentLifetimeSeconds: 600,
    passkeyLifetimeSeconds: 300,
    deviceApprovalLifetimeSeconds: 120,
    /** Steps of 30 seconds by which a code may be early or late. */
    stepsAsideMax: 1,
  },
  cliRequests: {
    lifetimeSeconds: 600,
    /** Pending sign-ins of terminals from one address, and in all: a further one replaces the oldest of the address with most. */
    pendingPerAddressMax: 10,
    pendingMax: 10_000,
    /** Poll interval of a terminal; increases each time it polls too soon, up to the maximum. */
    pollSeconds: 5,
    pollSlowerSeconds: 5,
    pollSecondsMax: 60,
  },
  /** Requests of terminals that their person steps up in a browser. */
  stepUpRequests: {
    lifetimeSeconds: 300,
    pollSeconds: 2,
  },
  /** Words of one response. */
  onboarding: { wordsMax: 20 },
  /** Pending sign-ups of one address; a further one replaces the oldest. */
  signUps: { waitingMax: 2 },
  /** Owners that are listed for the operator of the machine. */
  people: { ownersShownMax: 500 },
  /** Sessions of one person: listed at once, and active in one organization; a further one there ends the least recently used. */
  ownSessions: { shownMax: 200, perOrganizationMax: 200 },
  /**
   * Minimum response time to unauthenticated questions about addresses. Longer than the work takes if no password is hashed and the
   * database is healthy.
   */
  evenAnswers: { afterMs: 25 },
  /** How long a browser is remembered, and for how many people. */
  knownDevices: { lifetimeSeconds: 180 * 86_400, keptMax: 4 },
  passwordResets: {
    /** Minimum interval between codes for an address, and the maximum per hour. */
    resendAfterSeconds: 60,
    perHourMax: 5,
    /** Rows per cleanup step. */
    sweepBatchMax: 20,
    /** Lifetime of a secret that an operator was shown. */
    operatorLifetimeSeconds: 3_600,
  },
  sso: {
    /** Connections of one organization, and domains of one connection. */
    connectionsMax: 20,
    domainsMax: 20,
    roleMappingsMax: 100,
    /** Identities of one person in one organization. */
    identitiesMax: 20,
    /** Time from the first redirect to the return from the provider. */
    attemptSeconds: 600,
    /** Bytes of a provider's response, and the timeout of all requests together. */
    responseBytesMax: 262_144,
    requestMs: 5_000,
    /** Tolerated difference between the provider's clock and ours. */
    clockToleranceSeconds: 60,
    /** How long provider metadata is cached, how long a failure, and for how many providers. */
    discoveryKeptMs: 600_000,
    failureKeptMs: 5_000,
    discoveriesMax: 500,
    /** Values of one groups claim that are read. */
    claimValuesMax: 1_000,
    /** Bytes of a SAML form post, and of the XML in it. */
    samlFormBytesMax: 131_072,
    samlBytesMax: 65_536,
    samlElementsMax: 1_500,
    samlAttributesMax: 3_000,
    samlNamespacesMax: 60,
    samlDepthMax: 24,
    /** Time for the browser to fetch a verified response. */
    samlAnswerSeconds: 60,
    /** Signing certificates of a provider: the current one, and the next. */
    samlCertificatesMax: 2,
    /** Timeout of the DNS lookup of a domain's record, and records of a name that are read. */
    recordLookupMs: 4_000,
    recordsMax: 100,
  },
  scim: {
    pageMax: 100,
    /** Rows that are examined for a filter without an index. */
    filteredMax: 1_000,
    /** Group memberships that one request reads. A response contains a group whole, and also a person with their groups. */
    membershipsMax: 10_000,
    filterCharsMax: 500,
    /** Characters of an operation's path, which is compared with what it selects from. */
    pathCharsMax: 200,
    operationsMax: 100,
    /** Attributes that the operations of one patch name together. */
    pathsMax: 200,
    /** Addresses of one person from a directory. */
    mailsMax: 20,
    groupsMax: 1_000,
    groupMembersMax: 5_000,
    groupNameCharsMax: 300,
    groupRolesMax: 100,
    /** People whose role is set in one change. */
    rolesSetMax: 5_000,
    /** Role changes of one organization per minute, each of which is an event. */
    rolesSetPerMinuteMax: 10_000,
  },
  /** Retention of ended rows, the interval of their cleanup, and rows of each kind per step. */
  forgetting: { hourSeconds: 3_600, invitationDays: 30, sessionDays: 90, everyMs: 15_000, rowsMax: 500 },
  /** Memberships of one person. */
  memberships: { shownMax: 200 },
} as const;
