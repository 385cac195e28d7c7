/** Bounds on what is asked of the database, and of what is kept of its answers. */
export const DATABASE_LIMITS = {
  snapshots: {
    /** What a process keeps of loaded environments, of loaded agents and of versions' rules, about. */
    environmentBytesMax: 134_217_728,
    agentBytesMax: 67_108_864,
    versionBytesMax: 67_108_864,
    /** What it keeps of declarations of tools. */
    declarationBytesMax: 100_663_296,
    /**
     * An environment that holds about as much is heavy. Its organization counts as heavy for so long, of so many; what such load goes one after the
     * other in a process, and rests for so many times as long as it took, and for so long at most.
     */
    heavyBytesMin: 8_388_608,
    heavyKnownMs: 60_000,
    heavyKnownMax: 10_000,
    heavyRestsCount: 2,
    heavyRestMsMax: 500,
    /** How long, and of how many, a process remembers that what it loaded is not fit to decide on. */
    unfitKeptMs: 5_000,
    unfitKeptMax: 10_000,
  },
  database: {
    /** Connections that only emergencies and readiness use. */
    emergencyConnectionsMax: 4,
    /** Of an organization, for a connection of its share. */
    waitingPerOrganizationMax: 1_000,
    /** The same for searches, which have a part of the share. */
    waitingSearchesPerOrganizationMax: 200,
    /** While another asked within that time, an organization holds a quarter of the connections instead of half. */
    askedLatelyMs: 10_000,
    /** Of one address, for the one connection that waits for a lock which everybody takes. */
    waitingForLockPerKeyMax: 32,
    /** A statement of a search that takes longer is ended. */
    searchStatementMs: 1_000,
    /** A page looks through rows for so long, and so many, and answers what it has found until then. */
    searchPageMs: 150,
    searchPageRowsMax: 100_000,
  },
} as const;
