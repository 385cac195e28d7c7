import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { proveEvent } from '@svc/operations/events/audit-log/prove-event.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { findAuditEvent } from '@svc/postgres/events/audit-events.ts';
import type { EventsDeps } from '../deps.ts';

/** Returns the proof of an event that the caller may see. */
export const getAuditEventProof: Handler<Endpoints['getAuditEventProof'], EventsDeps> = (call) =>
  readInTenant(call.database, call.scope, async (tx) => {
    const { organization_id } = call.scope;
    const event = await findAuditEvent(tx, organization_id, call.params.eventId);
    return event === undefined ? call.refuse('NOT_FOUND') : proveEvent(tx, organization_id, event.id);
  });
