import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { listWorkspaces as readAll } from '@svc/postgres/tenancy/workspaces.ts';
import type { TenancyDeps } from '../deps.ts';

export const listWorkspaces: Handler<Endpoints['listWorkspaces'], TenancyDeps> = ({ database, scope }) =>
  readInTenant(database, scope, (tx) => readAll(tx, scope.organization_id));
