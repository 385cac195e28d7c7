import { buildRefusal } from '@svc/contract/rows/refusal.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { deleteConnection, findConnection, lockSsoConnections } from '@svc/postgres/people/sso/connections.ts';
import type { CallContext } from '../auth/acting.ts';
import type { MailService } from '../mail/mail-service.ts';
import type { Posting } from '../mail/post-mail.ts';
import { formatConnection, formatSsoConnectionForAudit } from './format-connection.ts';
import { CRITICAL, notifyOwners } from './notify-owners.ts';

type DeleteSsoConnectionRequest = CallContext & {
  readonly connectionId: string;
  readonly sourceIp: string;
  readonly newId: Posting['newId'];
  readonly organizationName: string;
};

export const deleteSsoConnection = async (
  { tx, emit }: Change<'sso.connection_updated'>,
  request: DeleteSsoConnectionRequest,
  deps: { readonly mail: MailService; readonly urls: { readonly base: string } },
) => {
  const { organization_id } = request.scope;
  await lockSsoConnections(tx, organization_id);
  const before = await findConnection(tx, organization_id, request.connectionId);
  if (!before) return buildRefusal('NOT_FOUND');
  await deleteConnection(tx, organization_id, before.id);
  emit('sso.connection_updated', {
    ...{ ...about.sso_connection(before), ...CRITICAL },
    data: { change: 'deleted', before: formatSsoConnectionForAudit(before) },
  });
  await notifyOwners(deps, request, tx, { name: before.name, changed: ['deleted'] });
  return formatConnection(before, deps.urls.base);
};
