import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { asA2aConnection } from '@svc/operations/peers/a2a/as-a2a-connection.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { findA2aConnection } from '@svc/postgres/peers/a2a/a2a-connections.ts';
import type { PeersDeps } from '../deps.ts';

export const getA2aConnection: Handler<Endpoints['getA2aConnection'], PeersDeps> = (call, { urls }) =>
  readInTenant(call.database, call.scope, async (tx) => {
    const connection = await findA2aConnection(tx, call.scope.organization_id, call.params.a2aConnectionId);
    return connection ? asA2aConnection(connection, urls.gateway) : call.refuse('NOT_FOUND');
  });
