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
  breakGlass: {
    /** How long emergency access of a person lasts. */
    minutesMin: 5,
    minutesMax: 60,
    /** The same where no second person approved it. */
    aloneMinutesMax: 30,
    /** A second person decides within this time. */
    requestSeconds: 900,
    /** Requests and grants of an organization that are open. */
    openMax: 5,
    /** Events that a report lists. */
    reportedMax: 1_000,
  },
  incidentRules: {
    /** Rules of an environment. */
    rulesMax: 20,
    /** Findings that a rule counts, and the time within which. */
    countMax: 100,
    withinSecondsMax: 86_400,
    reopenMinutesMax: 1_440,
    /** Incidents that rules of an organization open in an hour; one more collects the others. */
    openedPerHourMax: 20,
    /** Agents that rules of an organization pause in an hour. */
    pausedPerHourMax: 5,
    /** Findings of one rule and key that are taken at once. */
    takenMax: 100,
    /** Rules that are matched at once, over all organizations of a batch. */
    matchedMax: 10_000,
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
