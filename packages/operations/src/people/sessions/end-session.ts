import { about, EVERYWHERE } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { listLiveSessions } from '@svc/postgres/people/sessions/own-sessions.ts';
import { endSignIn, revokeSession, revokeSignInHere } from '@svc/postgres/people/sessions/sessions.ts';
import type { CallContext } from '../auth/acting.ts';

type EndedSession = Awaited<ReturnType<typeof listLiveSessions>>[number];

/**
 * Ends a session of the caller in any organization; another person's is treated as unknown. It ends like a sign-out, but a session that one
 * organization's provider vouched for ends nothing elsewhere: of a sign-in that reached other organizations, only what it opened here.
 */
export const endSession = async (
  { tx, emit }: Change<'session.revoked'>,
  request: CallContext,
  session: EndedSession,
  only: string | undefined,
) => {
  const { now, actor } = request;
  if (await revokeSession(tx, session, now)) {
    if (only === undefined) await endSignIn(tx, session, { id: session.sign_in_id, withTerminals: false }, now);
    else await revokeSignInHere(tx, { organizationId: only, signInId: session.sign_in_id }, now);
    emit('session.revoked', { ...about.session(session, EVERYWHERE), data: { user_id: actor.id } });
  }
  return { revoked: true };
};
