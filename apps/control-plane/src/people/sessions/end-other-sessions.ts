import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { endSessionsOf, keepSession } from '@svc/postgres/people/auth/own-sessions.ts';
import type { ControlDeps } from '../../deps.ts';

/** Of two sessions that end all others at once, one stays. */
export const endOtherSessions: Handler<Endpoints['endOtherSessions'], ControlDeps> = ({ caller, change, refuse }) =>
  change(async ({ tx, emit }) => {
    const { actor, organizationId, credentialId: sessionId } = caller;
    await endSessionsOf(tx, actor.id);
    if (!(await keepSession(tx, { organizationId, userId: actor.id, sessionId })))
      return refuse('CONFLICT', 'This session was ended meanwhile, and so ends no others.');
    emit('session.revoked', { ...about.user(actor), data: { all_but: sessionId } });
    return { revoked: true };
  });
