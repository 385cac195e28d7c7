import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/call.ts';
import { readInTenant } from '@svc/postgres/in-tenant.ts';
import { listWorkspaces as readAll } from '@svc/postgres/workspaces.ts';
import type { ControlDeps } from '../deps.ts';

export const listWorkspaces: Handler<Endpoints['listWorkspaces'], ControlDeps> = ({ database, scope }) =>
  readInTenant(database, scope, (tx) => readAll(tx, scope.organization_id));
