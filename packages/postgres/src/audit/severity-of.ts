import { EVENT_ROWS, type EventType } from '@svc/contract/tables/events.ts';
import type { Severity } from '@svc/contract/tables/vocabulary.ts';

/** As the table of events says, for what nobody raised. */
export const severityOf = (type: EventType): Severity => EVENT_ROWS[type].severity;
