export const TRUST_LIMITS = {
  trust: {
    /** Providers of an organization, the disabled ones included. */
    providersMax: 100,
    /** Keys, identities and signatures that are read. */
    keysMax: 8,
    identitiesMax: 16,
    signaturesMax: 8,
    /** Subjects and vulnerabilities of a statement that are read. */
    subjectsMax: 64,
    vulnerabilitiesMax: 1_000,
    /** Characters of a signed document, and of the authorities and logs of a signing service. */
    documentCharsMax: 196_608,
    trustedRootBytesMax: 65_536,
    authoritiesMax: 16,
    /** Nesting of a document. */
    depthMax: 32,
    /** Evidence of an agent that is in force at the same time. */
    evidencePerAgentMax: 100,
    /** Evidence that a decision reads, what expired lately included. */
    evidenceReadMax: 200,
    expiredShownDays: 30,
    /** Digests of artifacts of an agent. */
    artifactsMax: 16,
    /** Evidence expires within this time. */
    expiresInDaysMax: 400,
    /** A document that states a later time than now is refused beyond this difference of clocks. */
    clockSkewMs: 60_000,
    /** Notices come this long before the expiry. */
    firstNoticeDays: 14,
    lastNoticeDays: 1,
    /** Evidence that a step of the job announces or revokes. */
    atOnceMax: 200,
    /** Verifications that a process makes at the same time, and how long one waits for its turn. */
    verificationsUnderWayMax: 2,
    verificationWaitMs: 10_000,
  },
} as const;
