import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { formatConnection } from '@svc/operations/people/sso/format-connection.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { listConnections } from '@svc/postgres/people/sso/connections.ts';
import type { PeopleDeps } from '../deps.ts';

export const listSsoConnections: Handler<Endpoints['listSsoConnections'], PeopleDeps> = async ({ database, scope }, { urls }) => {
  const connections = await readInTenant(database, scope, (tx) => listConnections(tx, scope.organization_id));
  return connections.map((connection) => formatConnection(connection, urls.base));
};
