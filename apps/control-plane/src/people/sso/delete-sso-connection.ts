import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { deleteConnection, findConnection, takeConnectionTurn } from '@svc/postgres/people/sso/connections.ts';
import type { ControlDeps } from '../../deps.ts';
import { refusePart } from '@svc/operations/people/sso/refuse-part.ts';
import { CRITICAL, tellOwners } from '@svc/operations/people/sso/tell-owners.ts';
import { auditedConnection, toldConnection } from '@svc/operations/people/sso/told-connection.ts';

export const deleteSsoConnection: Handler<Endpoints['deleteSsoConnection'], ControlDeps> = async (call, deps) => {
  const part = refusePart(call.scope);
  if (part) return part;
  return call.change(async ({ tx, emit }) => {
    const { organization_id } = call.scope;
    await takeConnectionTurn(tx, organization_id);
    const before = await findConnection(tx, organization_id, call.params.connectionId);
    if (!before) return call.refuse('NOT_FOUND');
    await deleteConnection(tx, organization_id, before.id);
    emit('sso.connection_updated', {
      ...{ ...about.sso_connection(before), ...CRITICAL },
      data: { change: 'deleted', before: auditedConnection(before) },
    });
    await tellOwners(deps, call, tx, { name: before.name, changed: ['deleted'] });
    return toldConnection(before, deps.urls.base);
  });
};
