import type { Endpoints } from '@svc/contract/endpoints.ts';
import { onlyOrganizationOf } from '@svc/domain/people/auth/only-organization-of.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { about, EVERYWHERE } from '@svc/postgres/audit/about.ts';
import { listLiveSessions } from '@svc/postgres/people/sessions/own-sessions.ts';
import { endSignIn, revokeSession, revokeSignInHere } from '@svc/postgres/people/sessions/sessions.ts';
import type { ControlDeps } from '../../deps.ts';
import { idleSince } from './live/idle-since.ts';

/**
 * In whichever organization it is; another person's is told like one there never was. It ends as it would if it signed itself out, but a session
 * that one organization's provider vouched for ends nothing elsewhere: of a sign-in that reached other organizations, what it opened here.
 */
export const endSession: Handler<Endpoints['endSession'], ControlDeps> = async (call, { identity, settings }) => {
  const { caller, now, params } = call;
  const only = onlyOrganizationOf(caller);
  const whose = { userId: caller.actor.id, organizationId: only };
  const asked = { ...whose, now, idleSince: idleSince(settings, now), id: params.sessionId };
  const [session] = await listLiveSessions(identity, asked);
  if (!session) return call.refuse('NOT_FOUND', 'You have no such session that is accepted.');
  return call.change(
    async ({ tx, emit }) => {
      if (await revokeSession(tx, session, now)) {
        if (only === undefined) await endSignIn(tx, session, { id: session.sign_in_id, withTerminals: false }, now);
        else await revokeSignInHere(tx, { organizationId: only, signInId: session.sign_in_id }, now);
        emit('session.revoked', { ...about.session(session, EVERYWHERE), data: { user_id: caller.actor.id } });
      }
      return { revoked: true };
    },
    undefined,
    { scope: { organization_id: session.organization_id }, actor: caller.actor },
  );
};
