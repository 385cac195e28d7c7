import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/call.ts';
import { findAuditEvent } from '@svc/postgres/audit-events.ts';
import { readInTenant } from '@svc/postgres/in-tenant.ts';
import type { ControlDeps } from '../deps.ts';

export const getAuditEvent: Handler<Endpoints['getAuditEvent'], ControlDeps> = async (call) => {
  const event = await readInTenant(call.database, call.scope, (tx) => findAuditEvent(tx, call.scope.organization_id, call.params.eventId));
  return event ?? call.refuse('NOT_FOUND');
};
