/** Limits of the database and its caches. */
export const DATABASE_LIMITS = {
  snapshots: {
    /** Approximate bytes of a process's caches: loaded environments, loaded agents and rules of versions. */
    environmentBytesMax: 134_217_728,
    agentBytesMax: 67_108_864,
    versionBytesMax: 67_108_864,
    /** Bytes of the cache of tool declarations. */
    declarationBytesMax: 100_663_296,
    /**
     * Size from which an environment is heavy. Its organization counts as heavy for so long, in a cache of so many; heavy loads of a
     * process run one at a time, each followed by a rest of this multiple of its time, up to a maximum.
     */
    heavyBytesMin: 8_388_608,
    heavyKnownMs: 60_000,
    heavyKnownMax: 10_000,
    heavyRestsCount: 2,
    heavyRestMsMax: 500,
    /** How long, and for how many, a process caches that loaded data is not fit to decide on. */
    unfitKeptMs: 5_000,
    unfitKeptMax: 10_000,
  },
  database: {
    /** Database connections reserved for emergencies and readiness. */
    emergencyConnectionsMax: 4,
    /** Queue of an organization for a connection of its share. */
    waitingPerOrganizationMax: 1_000,
    /** The same for searches, which have a part of the share. */
    waitingSearchesPerOrganizationMax: 200,
    /** Time after another organization's request in which an organization is limited to a quarter of the connections instead of half. */
    askedLatelyMs: 10_000,
    /** Queue of one address for the single connection that waits for a global lock. */
    waitingForLockPerKeyMax: 32,
    /** Timeout of a statement of a search. */
    searchStatementMs: 1_000,
    /** Time and rows that a page of a search reads; it returns what it has found until then. */
    searchPageMs: 150,
    searchPageRowsMax: 100_000,
  },
} as const;
