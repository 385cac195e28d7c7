import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { readOrganization } from '@svc/postgres/tenancy/organization/organization.ts';
import type { TenancyDeps } from '../deps.ts';

export const getOrganization: Handler<Endpoints['getOrganization'], TenancyDeps> = ({ database, scope }) =>
  readInTenant(database, scope, (tx) => readOrganization(tx, scope.organization_id));
