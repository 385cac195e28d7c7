import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { findBreakGlassSettings } from '@svc/postgres/incidents/emergency/break-glass.ts';
import type { IncidentsDeps } from '../deps.ts';

export const getBreakGlassSettings: Handler<Endpoints['getBreakGlassSettings'], IncidentsDeps> = (call) =>
  readInTenant(call.database, call.scope, async (tx) => {
    const stored = await findBreakGlassSettings(tx, call.scope.organization_id);
    const mode = stored?.mode === 'SELF_WITH_NOTICE' ? 'SELF_WITH_NOTICE' : 'TWO_PEOPLE';
    return { mode, updated_at: stored?.updated_at ?? null, updated_by: stored?.updated_by ?? null };
  });
