import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { about, EVERYWHERE } from '@svc/postgres/audit/about.ts';
import { endSignIn } from '@svc/postgres/people/sessions/sessions.ts';
import { takeConnectionTurn } from '@svc/postgres/people/sso/connections.ts';
import { deleteIdentity, endSessionsBy, hasOtherWayIn, listIdentities } from '@svc/postgres/people/sso/identities.ts';
import type { ControlDeps } from '../../deps.ts';

const LAST_WAY =
  'This is the only way you sign in: set a password first, with the code that is mailed when it is forgotten, or link another identity.';

export const unlinkIdentity: Handler<Endpoints['unlinkIdentity'], ControlDeps> = (call, { identity: identityRole }) =>
  call.change(async ({ tx, emit }) => {
    const { caller, now } = call;
    const organization_id = caller.organizationId;
    // Of two identities that are unlinked at once, the second finds itself the last.
    await takeConnectionTurn(tx, organization_id);
    const identity = (await listIdentities(tx, organization_id, caller.actor.id)).find(({ id }) => id === call.params.identityId);
    if (!identity) return call.refuse('NOT_FOUND');
    if (!(await hasOtherWayIn(identityRole, organization_id, caller.actor.id, identity.id))) return call.refuse('CONFLICT', LAST_WAY);
    await deleteIdentity(tx, organization_id, identity.id);
    const { connection_id, subject } = identity;
    emit('user.identity_unlinked', { ...about.user(caller.actor), data: { before: { identity_id: identity.id, connection_id, subject } } });
    for (const id of await endSessionsBy(tx, { organization_id, connection_id, user_id: caller.actor.id }, now)) {
      // What was opened from it, or approved by it, rests on the same identity.
      await endSignIn(tx, { organization_id, id }, { id, withTerminals: true }, now);
      emit('session.revoked', { ...about.session({ id }, EVERYWHERE), data: { because: identity.id } });
    }
    return identity;
  });
