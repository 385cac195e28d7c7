import type { Endpoints } from '@svc/contract/endpoints.ts';
import { onlyOrganizationOf } from '@svc/domain/people/auth/only-organization-of.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { about, EVERYWHERE } from '@svc/postgres/audit/about.ts';
import { listLiveSessions } from '@svc/postgres/people/sessions/own-sessions.ts';
import { endSignIn, revokeSession } from '@svc/postgres/people/sessions/sessions.ts';
import type { ControlDeps } from '../../deps.ts';
import { idleSince } from './live/idle-since.ts';

/** In whichever organization it is; another person's is told like one there never was. It ends as it would if it signed itself out. */
export const endSession: Handler<Endpoints['endSession'], ControlDeps> = async (call, { identity, settings }) => {
  const { caller, now, params } = call;
  const whose = { userId: caller.actor.id, organizationId: onlyOrganizationOf(caller) };
  const asked = { ...whose, now, idleSince: idleSince(settings, now), id: params.sessionId };
  const [session] = await listLiveSessions(identity, asked);
  if (!session) return call.refuse('NOT_FOUND', 'You have no such session that is accepted.');
  return call.change(
    async ({ tx, emit }) => {
      if (await revokeSession(tx, session, now)) {
        await endSignIn(tx, session, { id: session.sign_in_id, withTerminals: false }, now);
        emit('session.revoked', { ...about.session(session, EVERYWHERE), data: { user_id: caller.actor.id } });
      }
      return { revoked: true };
    },
    undefined,
    { scope: { organization_id: session.organization_id }, actor: caller.actor },
  );
};
