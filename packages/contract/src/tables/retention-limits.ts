/** How long events of the record are kept, and how they are removed. */
export const RETENTION_LIMITS = {
  /** Six months, whichever they are. */
  keepDaysMin: 184,
  keepDaysMax: 36_500,
  /** What was said less long ago does nothing yet: whoever notices it can say otherwise. */
  graceSeconds: 604_800,
  /** Leaves of a log that one event announces, and whose events one step removes. */
  announcedLeavesMax: 200_000,
  removedLeavesMax: 2_000,
  /** Events that one step looks at of a month that is about to be dropped. */
  checkedEventsMax: 20_000,
} as const;
