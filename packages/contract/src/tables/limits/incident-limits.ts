export const INCIDENT_LIMITS = {
  incidents: {
    /** Things that an incident is about. */
    subjectsMax: 50,
    /** Containment steps of one request. */
    stepsMax: 20,
    /** Containment steps that an incident keeps. */
    stepsKeptMax: 200,
    /** Entries of a timeline; further events only raise counts. */
    entriesMax: 5_000,
    /** Events before an incident that its timeline looks back for, and how far. */
    lookBackMax: 1_000,
    lookBackSeconds: 86_400,
    /** An incident can be reopened for so long. */
    reopenDays: 30,
    /** Incidents that are not closed, of one organization. */
    openMax: 1_000,
    /** Between two looks of the consumer that writes timelines. */
    lookEveryMs: 1_000,
  },
  emergency: {
    /** Counting of what a control stops ends at this number. */
    countedMax: 10_000,
    /** Things that a refusal or a preview names one by one. */
    namedMax: 20,
    /** Destinations that an organization blocks. */
    blockedMax: 1_000,
  },
} as const;
