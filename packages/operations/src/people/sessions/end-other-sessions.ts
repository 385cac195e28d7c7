import { buildRefusal } from '@svc/contract/rows/refusal.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { endOrganizationSessions, endPersonSessions, keepSession } from '@svc/postgres/people/sessions/own-sessions.ts';
import type { CallContext } from '../auth/acting.ts';

type EndOtherSessionsRequest = CallContext & {
  readonly sessionId: string;
  /** The organization whose provider vouched for the session. Only its sessions end then. */
  readonly only: string | undefined;
};

/** Ends all sessions of a user except one. If two sessions do so concurrently, one of them stays. */
export const endOtherSessions = async (
  { tx, emit }: Change<'session.revoked'>,
  { scope, actor, sessionId, only }: EndOtherSessionsRequest,
) => {
  await (only === undefined ? endPersonSessions(tx, actor.id) : endOrganizationSessions(tx, only, actor.id));
  if (!(await keepSession(tx, { organizationId: scope.organization_id, userId: actor.id, sessionId })))
    return buildRefusal('CONFLICT', 'This session was ended meanwhile, and so ends no others.');
  emit('session.revoked', { ...about.user(actor), data: { all_but: sessionId, ...(only === undefined ? {} : { in: only }) } });
  return { revoked: true };
};
