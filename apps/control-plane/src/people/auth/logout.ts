import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { endSignIn, revokeSession } from '@svc/postgres/people/sessions/sessions.ts';
import type { ControlDeps } from '../../deps.ts';

export const logout: Handler<Endpoints['logout'], ControlDeps> = ({ body, caller, change, now }) =>
  change(async ({ tx, emit }) => {
    const session = { organization_id: caller.organizationId, id: caller.credentialId };
    // Of two at once the second finds it ended already, and has nothing to record.
    if (await revokeSession(tx, session, now)) {
      const withTerminals = body.terminals ?? false;
      await endSignIn(tx, session, { id: caller.signInId ?? session.id, withTerminals }, now);
      emit('user.logged_out', { ...about.user(caller.actor), data: { session_id: session.id, terminals: withTerminals } });
    }
    return { revoked: true };
  });
