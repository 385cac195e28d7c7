import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { listApiKeys as readAll } from '@svc/postgres/people/api-keys.ts';
import type { PeopleDeps } from '../deps.ts';

export const listApiKeys: Handler<Endpoints['listApiKeys'], PeopleDeps> = ({ database, scope }) =>
  readInTenant(database, scope, (tx) => readAll(tx, scope.organization_id));
