import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { listEnvironments as readAll } from '@svc/postgres/tenancy/environments.ts';
import type { TenancyDeps } from '../deps.ts';

export const listEnvironments: Handler<Endpoints['listEnvironments'], TenancyDeps> = ({ database, scope }) =>
  readInTenant(database, scope, (tx) => readAll(tx, scope.organization_id));
