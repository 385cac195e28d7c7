export const RUNTIME_LIMITS = {
  runtimes: {
    /** Runtimes of an organization. */
    perOrganizationMax: 500,
    /** Runtimes that one agent may run in. */
    perAgentMax: 20,
    hostsMax: 50,
    nodeTypesMax: 50,
    intervalSecondsMin: 300,
    intervalSecondsMax: 86_400,
    defaultIntervalSeconds: 3_600,
    requestsPerSecondMax: 20,
    defaultPerSecondCount: 5,
    graceSecondsMax: 86_400,
    defaultGraceSeconds: 900,
    /** Bytes of one response of an instance, and its timeout. */
    responseBytesMax: 33_554_432,
    answerMs: 30_000,
    /** Concurrent connection tests of a process, and the time that one waits in the queue. */
    testsUnderWayMax: 8,
    testWaitMs: 10_000,
    /** A request slower than this degrades the health. */
    slowMs: 5_000,
    clockDifferenceMaxMs: 60_000,
    keyEndsSoonDays: 14,
  },
  verification: {
    /** Lease of a run; another process continues it afterwards. */
    leaseMs: 60_000,
    /** Attempts of a step. */
    triesMax: 5,
    retryMs: 15_000,
    /** Age from which an unfinished run is abandoned. */
    abandonedAfterMs: 21_600_000,
    pageCount: 100,
    pagesMax: 100,
    workflowsMax: 5_000,
    /** Workflows that others name but the list omits, and that are read one by one. */
    followedMax: 200,
    nodesMax: 5_000,
    depthMax: 32,
    inventoryBytesMax: 262_144,
    findingsMax: 2_000,
    executionsMax: 250,
    /** Executions whose data is read. */
    matchedMax: 20,
    /** Attempts to remove a test workflow. */
    removalTriesMax: 10,
    canaryWaitMs: 1_000,
    canaryWaitsMax: 10,
    runsKeptMax: 100,
    assessmentsKeptMax: 1_000,
  },
  runtimeReports: {
    filesMax: 20,
    fileCharsMax: 262_144,
    toolsMax: 500,
    keptMax: 50,
  },
  runtimeHooks: {
    wordCharsMax: 200,
    nodeTypesMax: 500,
    leversMax: 60,
    /** Processes of a runtime whose heartbeat is kept. */
    processesMax: 20,
    /** How often a hook file reports, and after which time the status is computed from what it reported. */
    heartbeatSeconds: 60,
    assessEverySeconds: 120,
    /** A process that was silent for this time has ended. */
    silentSeconds: 300,
    /** A permit for a workflow that did not change is kept so long by the hook file. */
    cacheSeconds: 60,
    probeAgeSecondsMax: 86_400,
  },
  runtimeFindings: {
    acceptanceDaysMax: 180,
    defaultAcceptanceDays: 90,
    criticalAcceptanceDaysMax: 14,
  },
} as const;
