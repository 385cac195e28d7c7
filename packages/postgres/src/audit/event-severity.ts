import { EVENT_ROWS, type EventType } from '@svc/contract/tables/events.ts';
import type { Severity } from '@svc/contract/tables/vocabulary.ts';

/** The severity in the table of events, unless it was raised. */
export const resolveSeverity = (type: EventType): Severity => EVENT_ROWS[type].severity;
