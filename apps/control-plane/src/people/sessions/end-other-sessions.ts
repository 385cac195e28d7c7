import type { Endpoints } from '@svc/contract/endpoints.ts';
import { onlyOrganizationOf } from '@svc/domain/people/auth/only-organization-of.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { endSessionsIn, endSessionsOf, keepSession } from '@svc/postgres/people/sessions/own-sessions.ts';
import type { PeopleDeps } from '../deps.ts';

/** Of two sessions that end all others at once, one stays. The word of an organization's provider ends none in another organization. */
export const endOtherSessions: Handler<Endpoints['endOtherSessions'], PeopleDeps> = ({ caller, change, refuse }) =>
  change(async ({ tx, emit }) => {
    const { actor, organizationId, credentialId: sessionId } = caller;
    const only = onlyOrganizationOf(caller);
    await (only === undefined ? endSessionsOf(tx, actor.id) : endSessionsIn(tx, only, actor.id));
    if (!(await keepSession(tx, { organizationId, userId: actor.id, sessionId })))
      return refuse('CONFLICT', 'This session was ended meanwhile, and so ends no others.');
    emit('session.revoked', { ...about.user(actor), data: { all_but: sessionId, ...(only === undefined ? {} : { in: only }) } });
    return { revoked: true };
  });
