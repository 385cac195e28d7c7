import type { AreaHandlers } from '@svc/http/calls/call.ts';
import type { ControlDeps } from '../deps.ts';
import { getAuditEvent } from './audit-events/get-audit-event.ts';
import { searchAuditEvents } from './audit-events/search-audit-events.ts';
import { streamEvents } from './audit-events/stream-events.ts';

/** One handler per row of this area of the control plane; one that is missing, or of another area, does not compile. */
export const eventsHandlers: AreaHandlers<'control', 'events', ControlDeps> = {
  searchAuditEvents,
  getAuditEvent,
  streamEvents,
};
