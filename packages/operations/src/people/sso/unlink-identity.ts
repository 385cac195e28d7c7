import { buildRefusal } from '@svc/contract/rows/refusal.ts';
import { about, EVERYWHERE } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { endSignIn } from '@svc/postgres/people/sessions/sessions.ts';
import { lockSsoConnections } from '@svc/postgres/people/sso/connections.ts';
import { deleteIdentity, endConnectionSessions, hasOtherSignInMethod, listIdentities } from '@svc/postgres/people/sso/identities.ts';
import type { CallContext } from '../auth/acting.ts';

const LAST_WAY =
  'This is the only way you sign in: set a password first, with the code that is mailed when it is forgotten, or link another identity.';

export const unlinkIdentity = async (
  { tx, emit }: Change<'user.identity_unlinked' | 'session.revoked'>,
  request: CallContext & { readonly identityId: string },
  identityRole: Database,
) => {
  const { now, scope, actor } = request;
  const organization_id = scope.organization_id;
  // If two identities are unlinked concurrently, the second one is the last.
  await lockSsoConnections(tx, organization_id);
  const identity = (await listIdentities(tx, organization_id, actor.id)).find(({ id }) => id === request.identityId);
  if (!identity) return buildRefusal('NOT_FOUND');
  if (!(await hasOtherSignInMethod(identityRole, organization_id, actor.id, identity.id))) return buildRefusal('CONFLICT', LAST_WAY);
  await deleteIdentity(tx, organization_id, identity.id);
  const { connection_id, subject } = identity;
  emit('user.identity_unlinked', { ...about.user(actor), data: { before: { identity_id: identity.id, connection_id, subject } } });
  for (const id of await endConnectionSessions(tx, { organization_id, connection_id, user_id: actor.id }, now)) {
    // Sessions opened from it or approved by it depend on the same identity.
    await endSignIn(tx, { organization_id, id }, { id, withTerminals: true }, now);
    emit('session.revoked', { ...about.session({ id }, EVERYWHERE), data: { because: identity.id } });
  }
  return identity;
};
