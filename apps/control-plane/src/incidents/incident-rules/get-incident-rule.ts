import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { findIncidentRule } from '@svc/postgres/incidents/incident-rules/incident-rules.ts';
import type { IncidentsDeps } from '../deps.ts';

export const getIncidentRule: Handler<Endpoints['getIncidentRule'], IncidentsDeps> = (call) =>
  readInTenant(
    call.database,
    call.scope,
    async (tx) => (await findIncidentRule(tx, call.scope.organization_id, call.params.incidentRuleId)) ?? call.refuse('NOT_FOUND'),
  );
