import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { asRole } from '@svc/operations/people/roles/as-role.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { listRoles as readRoles } from '@svc/postgres/people/roles.ts';
import type { PeopleDeps } from '../deps.ts';

export const listRoles: Handler<Endpoints['listRoles'], PeopleDeps> = async ({ database, scope }) =>
  (await readInTenant(database, scope, (tx) => readRoles(tx, scope.organization_id))).map(asRole);
