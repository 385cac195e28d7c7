import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { findAuditEvent } from '@svc/postgres/events/audit-events.ts';
import type { EventsDeps } from '../deps.ts';

export const getAuditEvent: Handler<Endpoints['getAuditEvent'], EventsDeps> = async (call) => {
  const event = await readInTenant(call.database, call.scope, (tx) => findAuditEvent(tx, call.scope.organization_id, call.params.eventId));
  return event ?? call.refuse('NOT_FOUND');
};
