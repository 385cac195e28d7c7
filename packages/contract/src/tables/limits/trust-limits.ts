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
    /** Active evidence of an agent. */
    evidencePerAgentMax: 100,
    /** Evidence that a decision reads, including recently expired evidence. */
    evidenceReadMax: 200,
    expiredShownDays: 30,
    /** Digests of artifacts of an agent. */
    artifactsMax: 16,
    /** Maximum days until evidence expires. */
    expiresInDaysMax: 400,
    /** Tolerated clock difference for the times in a document. */
    clockSkewMs: 60_000,
    /** Days before the expiry at which notices are sent. */
    firstNoticeDays: 14,
    lastNoticeDays: 1,
    /** Evidence that a step of the job announces or revokes. */
    atOnceMax: 200,
    /** Concurrent verifications of a process, and the time that one waits in the queue. */
    verificationsUnderWayMax: 2,
    verificationWaitMs: 10_000,
  },
} as const;
