import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { formatRetention } from '@svc/operations/events/audit-retention/format-retention.ts';
import { readRetention } from '@svc/postgres/audit/retention/audit-retention.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import type { EventsDeps } from '../deps.ts';

export const getAuditRetention: Handler<Endpoints['getAuditRetention'], EventsDeps> = ({ database, scope }) =>
  readInTenant(database, scope, async (tx) => formatRetention(await readRetention(tx, scope.organization_id)));
