import type { Endpoints } from '@svc/contract/endpoints.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { formatListSection } from '@svc/http/lists/list-section.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { listIncidentRules as read } from '@svc/postgres/incidents/incident-rules/incident-rules.ts';
import type { IncidentsDeps } from '../deps.ts';

export const listIncidentRules: Handler<Endpoints['listIncidentRules'], IncidentsDeps> = (call) => {
  const { limit = LIMITS.pages.defaultCount, offset = 0, environment_id } = call.query;
  return readInTenant(call.database, call.scope, async (tx) =>
    formatListSection(await read(tx, call.scope.organization_id, environment_id, { limit, offset })),
  );
};
