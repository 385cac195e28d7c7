import { EVENTS, type EventType } from '@svc/contract/tables/events.ts';
import type { Severity } from '@svc/contract/tables/vocabulary.ts';

/** As the table of events says, for what nobody raised. */
export const severityOf = (type: EventType): Severity => EVENTS[type].severity;
