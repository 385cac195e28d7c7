/** Bounds on one process: its clock, restarts, logs and end. */
export const PROCESS_LIMITS = {
  clock: {
    /** How far the clock of a process and the database's may be apart. */
    skewMaxSeconds: 5,
    /** How often a process asks the database for its time. */
    measureEveryMs: 2_000,
    /** For so long it goes on by what it was told. */
    unknownAfterMs: 60_000,
    /** How long the database must keep a time that its clock was set to before it is followed. */
    confirmStepMs: 30_000,
  },
  /** How often a starting program asks a database that does not answer: at first, and at most so far apart. */
  startup: { retryMs: 100, retryMsMax: 2_000 },
  restarts: {
    /** So many deaths of one plane within the time, and it is not started again. */
    deathsMax: 5,
    deathsWithinMs: 60_000,
    /** Before the first restart; twice as long before each further one. */
    backoffMs: 200,
    backoffMsMax: 5_000,
  },
  sandbox: {
    requestsKeptMax: 100,
    /** Of the bodies kept. */
    keptBytesMax: 4_194_304,
  },
  logs: {
    /** Of one file; a full one is moved aside. */
    fileBytesMax: 67_108_864,
    /** Files of one plane, the one that is written included. */
    filesMax: 4,
    /** Lines of one process that are no JSON, such as those of an engine that breaks, and how long each may be. */
    strayLinesMax: 2_000,
    strayCharactersMax: 4_096,
  },
  log: {
    /** Lines of one address within a minute about requests that were refused before anybody was recognised, or for being too many. */
    refusalLinesPerMinute: 120,
  },
  /** How long anybody may keep the pages and documents that are the same for everybody. */
  documents: { cacheSeconds: 300 },
  health: {
    /** How long one part may take to answer when readiness is asked. */
    checkMs: 2_000,
    /** What it came to is told to everybody who asks meanwhile. */
    keptMs: 1_000,
    /** Questions of one address for it, which are counted for nothing else: at once, and after that within a second; and of how many addresses that is known. */
    atOnceMax: 120,
    perSecondMax: 10,
    addressesMax: 10_000,
  },
  shutdown: {
    drainMs: 10_000,
    /** For requests that are not whole and answers that lie unread, once nothing else is under way. */
    unfinishedMs: 1_500,
  },
} as const;
