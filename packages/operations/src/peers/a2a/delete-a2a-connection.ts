import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EmittedBy } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, isRefusal } from '@svc/contract/rows/refusal.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { deleteA2aConnectionRow, lockA2aConnection } from '@svc/postgres/peers/a2a/a2a-connections.ts';
import { withdrawAllAgents } from '@svc/postgres/peers/mcp/mcp-tools.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { changeToolStatus } from '../../tools/tools/change-tool-status.ts';
import { formatA2aConnectionForAudit } from './as-a2a-connection.ts';

const REASON = 'Its A2A connection was removed.';

/** Removes a connection. Its governed tool stays, since records name it, and is disabled. The event keeps the registered keys. */
export const deleteA2aConnection = async (
  { tx, emit }: Change<EmittedBy<Endpoints['deleteA2aConnection']>>,
  { scope, actor, now, connectionId }: CallContext & { readonly connectionId: string },
) => {
  const { organization_id } = scope;
  const connection = await lockA2aConnection(tx, organization_id, connectionId);
  if (!connection) return buildRefusal('NOT_FOUND');
  const withdrawn = await withdrawAllAgents(tx, organization_id, connection.tool_id);
  const changed = await changeToolStatus(tx, organization_id, connection.tool_id, { to: 'DISABLED', reason: REASON, by: actor, now });
  // One that is already disabled stays unchanged.
  if (!isRefusal(changed)) {
    const after = { status: 'DISABLED', disabled_reason: REASON };
    const data = { name: changed.tool.name, before: { status: 'ACTIVE', disabled_reason: null }, after, withdrawn, reason: REASON };
    emit('tool.disabled', { ...about.tool({ ...changed.tool, workspace_id: changed.workspace_id }), data });
  }
  await deleteA2aConnectionRow(tx, organization_id, connection.id);
  emit('a2a.connection_blocked', {
    ...about.a2a_connection(connection),
    data: {
      name: connection.name,
      before: { ...formatA2aConnectionForAudit(connection), keys: connection.keys },
      after: null,
      reason: 'The connection was removed.',
    },
  });
  return { id: connection.id, name: connection.name, deleted_at: now.toISOString() };
};
