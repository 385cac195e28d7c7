import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { asBreakGlass } from '@svc/operations/incidents/emergency/as-break-glass.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { findGrant } from '@svc/postgres/incidents/emergency/break-glass.ts';
import type { IncidentsDeps } from '../deps.ts';

export const getBreakGlass: Handler<Endpoints['getBreakGlass'], IncidentsDeps> = (call) =>
  readInTenant(call.database, call.scope, async (tx) => {
    const grant = await findGrant(tx, call.scope.organization_id, call.params.breakGlassId);
    return grant ? asBreakGlass(grant, call.now) : call.refuse('NOT_FOUND');
  });
