/** Bounds of what people and API keys may be, and of how many are listed at once. */
export const PEOPLE_LIMITS = {
  apiKeys: {
    defaultExpiryDays: 365,
    expiryDaysMax: 730,
    workspacesMax: 50,
    /** How long two secrets of a key are accepted after a rotation. */
    defaultOverlapSeconds: 86_400,
    overlapSecondsMax: 604_800,
    /** Keys that were made with one another, from the person down. */
    chainMax: 4,
    /** Of one organization, neither revoked nor over; and of those that are, so many of the newest are listed. */
    perOrganizationMax: 1_000,
    endedShownMax: 1_000,
  },
  /** `ownMax` of an organization, besides the built-in ones. */
  roles: { shownMax: 200, ownMax: 100 },
  members: {
    workspacesMax: 50,
    /** Approvals that are looked at, and keys that are told of one by one, in one change. */
    derivedMax: 500,
  },
  invitations: {
    lifetimeDays: 7,
    /** Of one organization, not taken up and not over. */
    pendingMax: 200,
    /** Mails of one invitation, the first included. */
    mailsMax: 5,
    /** Between two of them. */
    resendAfterSeconds: 60,
    /** Mails of one organization, and to one address from it, within a day. */
    mailsPerDayMax: 500,
    mailsToAddressPerDayMax: 10,
  },
  /** Of an organization, and of a key, from which calls are accepted. */
  networks: { countMax: 100 },
  secondFactors: {
    /** Of one person, codes and passkeys together, that count in the same organizations. */
    countMax: 20,
    /** Of one person in one response, whichever organization they count in. */
    shownMax: 200,
    /** Wrong guesses at one factor, or at the password, by sign-ins of all providers together. */
    vouchedGuessesMax: 30,
    /** Sign-ins of one person that wait for their second factor; with one more the oldest ends. */
    challengesMax: 20,
    challengeLifetimeSeconds: 600,
    challengeAttemptsMax: 5,
    /** How long a generator of codes waits for its first code, and a passkey for its ceremony. */
    enrolmentLifetimeSeconds: 600,
    passkeyLifetimeSeconds: 300,
    deviceApprovalLifetimeSeconds: 120,
    /** Steps of half a minute that a code may be early or late. */
    stepsAsideMax: 1,
  },
  cliRequests: {
    lifetimeSeconds: 600,
    /** That wait for a person, asked for by one address, and in all: with one more, whoever has most gives up its oldest. */
    pendingPerAddressMax: 10,
    pendingMax: 10_000,
    /** Between two questions of a terminal; by so much longer each time it asks too soon, up to the last. */
    pollSeconds: 5,
    pollSlowerSeconds: 5,
    pollSecondsMax: 60,
  },
  /** Requests of terminals that their person steps up in a browser. */
  stepUpRequests: {
    lifetimeSeconds: 300,
    pollSeconds: 2,
  },
  /** Words of one answer. */
  onboarding: { wordsMax: 20 },
  /** Sign-ups of one address that wait for their codes; the oldest goes. */
  signUps: { waitingMax: 2 },
  /** Told to whoever operates the machine. */
  people: { ownersShownMax: 500 },
  /** Of one person: told at once, and going on in one organization; with one more there the one that was used longest ago ends. */
  ownSessions: { shownMax: 200, perOrganizationMax: 200 },
  /** What strangers ask about addresses is answered no sooner. Longer than the work takes where no password is hashed and the database is well. */
  evenAnswers: { afterMs: 25 },
  /** How long a browser is known that somebody signed in with, and of how many people one browser knows it. */
  knownDevices: { lifetimeSeconds: 180 * 86_400, keptMax: 4 },
  passwordResets: {
    /** Between two codes that an address asks for, and how many within an hour. */
    resendAfterSeconds: 60,
    perHourMax: 5,
    /** Rows that are swept at once. */
    sweptMax: 20,
    /** How long what an operator was shown is good for. */
    operatorLifetimeSeconds: 3_600,
  },
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
    /** What a provider that speaks SAML may post: the form, and the XML in it. */
    samlFormBytesMax: 131_072,
    samlBytesMax: 65_536,
    samlElementsMax: 1_500,
    samlAttributesMax: 3_000,
    samlNamespacesMax: 60,
    samlDepthMax: 24,
    /** From when an answer was verified until the browser has come for it. */
    samlAnswerSeconds: 60,
    /** Of the keys it signs with: the one it uses, and the one it changes to. */
    samlCertificatesMax: 2,
    /** A lookup of a domain's record, and records of a name that are looked at. */
    recordLookupMs: 4_000,
    recordsMax: 100,
  },
  scim: {
    pageMax: 100,
    /** Looked through for a filter that no index answers. */
    filteredMax: 1_000,
    /** Memberships of groups that one request reads. A group is in one answer whole, and so is a person with their groups. */
    membershipsMax: 10_000,
    filterCharsMax: 500,
    /** Of an operation: each path is compared with what it chooses from. */
    pathCharsMax: 200,
    operationsMax: 100,
    /** Attributes that the operations of one patch name together. */
    pathsMax: 200,
    /** Addresses that a directory says of one person. */
    mailsMax: 20,
    groupsMax: 1_000,
    groupMembersMax: 5_000,
    groupNameCharsMax: 300,
    groupRolesMax: 100,
    /** Whose role is set in one change. */
    rolesSetMax: 5_000,
    /** Of one organization within a minute, each of which is an event. */
    rolesSetPerMinuteMax: 10_000,
  },
  /** How long what has ended is kept, how often some of it is forgotten, and how much of each kind at once. */
  forgetting: { hourSeconds: 3_600, invitationDays: 30, sessionDays: 90, everyMs: 15_000, rowsMax: 500 },
  /** Of one person. */
  memberships: { shownMax: 200 },
} as const;
