import type { Endpoints } from '@svc/contract/endpoints.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { asBreakGlass } from '@svc/operations/incidents/emergency/as-break-glass.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { findGrant, readGrantEvents } from '@svc/postgres/incidents/emergency/break-glass.ts';
import type { IncidentsDeps } from '../deps.ts';

export const getBreakGlassReport: Handler<Endpoints['getBreakGlassReport'], IncidentsDeps> = (call) =>
  readInTenant(call.database, call.scope, async (tx) => {
    const grant = await findGrant(tx, call.scope.organization_id, call.params.breakGlassId);
    if (!grant) return call.refuse('NOT_FOUND');
    const events = await readGrantEvents(tx, grant);
    const { reportedMax } = LIMITS.breakGlass;
    return { grant: asBreakGlass(grant, call.now), events: events.slice(0, reportedMax), listed_all: events.length <= reportedMax };
  });
