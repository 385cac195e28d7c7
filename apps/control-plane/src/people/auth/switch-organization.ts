import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { type Opening, openSession } from '@svc/operations/people/auth/open-session.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { findMembership } from '@svc/postgres/people/auth/people.ts';
import type { ControlDeps } from '../../deps.ts';

/**
 * The session that asks goes on as it was. The new one proves nothing anew, so it lasts no longer than that one and ends with its sign-in:
 * whoever took a token gains nothing by switching that its owner could not end.
 */
export const switchOrganization: Handler<Endpoints['switchOrganization'], ControlDeps> = async (call, { identity }) => {
  const { caller, now, sourceIp, userAgent } = call;
  const membership = await findMembership(identity, caller.actor.id, call.body.organization_id);
  if (!membership) return call.refuse('NOT_FOUND', 'You belong to no such organization.');
  const { organization_id, organization_name, user_id, email, name } = membership;
  const user = { id: user_id, email, name };
  const expiresAt = new Date(caller.expiresAt);
  const { signInId, approvedBySignInId } = caller;
  const opening: Opening = { id: call.newId('session'), expiresAt, signInId, approvedBySignInId, now, sourceIp, userAgent };
  return call.change(
    async ({ tx, emit }) => {
      const organization = { id: organization_id, name: organization_name };
      const answer = await openSession(tx, opening, { user, organization, rights: membership });
      emit('user.login_succeeded', { ...about.user(user), data: { session_id: opening.id, source_ip: sourceIp } });
      return answer;
    },
    undefined,
    { scope: { organization_id }, actor: { type: 'USER', id: user_id, name } },
  );
};
