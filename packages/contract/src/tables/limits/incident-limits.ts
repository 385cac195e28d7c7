export const INCIDENT_LIMITS = {
  incidents: {
    /** Subjects of an incident. */
    subjectsMax: 50,
    /** Containment steps of one request. */
    stepsMax: 20,
    /** Containment steps that an incident stores. */
    stepsKeptMax: 200,
    /** Entries of a timeline; further events only raise counts. */
    entriesMax: 5_000,
    /** Events before an incident that its timeline includes, and how far back. */
    lookBackMax: 1_000,
    lookBackSeconds: 86_400,
    /** Days in which an incident can be reopened. */
    reopenDays: 30,
    /** Open incidents of one organization. */
    openMax: 1_000,
    /** Poll interval of the consumer that writes timelines. */
    lookEveryMs: 1_000,
  },
  breakGlass: {
    /** Duration of a person's emergency access. */
    minutesMin: 5,
    minutesMax: 60,
    /** Maximum duration without approval by a second person. */
    aloneMinutesMax: 30,
    /** Time for a second person to decide. */
    requestSeconds: 900,
    /** Open requests and grants of an organization. */
    openMax: 5,
    /** Events that a report lists. */
    reportedMax: 1_000,
  },
  incidentRules: {
    /** Rules of an environment. */
    rulesMax: 20,
    /** Findings that a rule counts, and its time window. */
    countMax: 100,
    withinSecondsMax: 86_400,
    reopenMinutesMax: 1_440,
    /** Incidents that rules of an organization open per hour; one more collects the others. */
    openedPerHourMax: 20,
    /** Agents that rules of an organization pause per hour. */
    pausedPerHourMax: 5,
    /** Findings of one rule and key that are taken at once. */
    takenMax: 100,
    /** Rules that are matched at once, over all organizations of a batch. */
    matchedMax: 10_000,
  },
  emergency: {
    /** Maximum count of what a control stops. */
    countedMax: 10_000,
    /** Items that a refusal or a preview lists by name. */
    namedMax: 20,
    /** Destinations that an organization blocks. */
    blockedMax: 1_000,
  },
} as const;
