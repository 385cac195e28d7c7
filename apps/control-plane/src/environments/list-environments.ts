import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/call.ts';
import { listEnvironments as readAll } from '@svc/postgres/environments.ts';
import { readInTenant } from '@svc/postgres/in-tenant.ts';
import type { ControlDeps } from '../deps.ts';

export const listEnvironments: Handler<Endpoints['listEnvironments'], ControlDeps> = ({ database, scope }) =>
  readInTenant(database, scope, (tx) => readAll(tx, scope.organization_id));
