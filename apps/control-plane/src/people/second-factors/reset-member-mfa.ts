import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Permission } from '@svc/contract/tables/permissions.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { about, EVERYWHERE } from '@svc/postgres/audit/about.ts';
import { findMemberPerson, listMemberships, type Membership } from '@svc/postgres/people/auth/people.ts';
import { endSessionsOf } from '@svc/postgres/people/auth/sessions.ts';
import { deleteFactors, lockFactors } from '@svc/postgres/people/second-factors/factors.ts';
import type { ControlDeps } from '../../deps.ts';

type ResetCall = Call<Endpoints['resetMemberMfa']>;

const OWN = 'Your own second factors you remove with DELETE /v1/auth/mfa/factors/{factorId}.';
const ELSEWHERE =
  'This person belongs to other organizations too, which rely on the same second factors: they sign in with a recovery code, or whoever operates the service helps.';

/** Nobody acts on somebody who holds what they do not hold, or sees what they do not see. */
const refusalOver = (call: ResetCall, { permissions, workspace_ids }: Membership) => {
  const [permission] = call.lacks(permissions as readonly Permission[]);
  const seen = call.caller.workspaceIds;
  const seesLess = seen !== null && (workspace_ids === null || workspace_ids.some((id) => !seen.includes(id)));
  if (permission === undefined && !seesLess) return undefined;
  return call.refuse('PERMISSION_DENIED', 'This member may do more than you may.', permission === undefined ? undefined : { permission });
};

/** Factors are a person's and not an organization's, so that an administrator of one decides on those of its own people alone. */
export const resetMemberMfa: Handler<Endpoints['resetMemberMfa'], ControlDeps> = async (call, { identity }) => {
  const { caller, now } = call;
  const { organizationId } = caller;
  const userId = await findMemberPerson(identity, organizationId, call.params.memberId);
  const memberships = userId === undefined ? [] : await listMemberships(identity, userId);
  const here = memberships.find(({ organization_id }) => organization_id === organizationId);
  if (userId === undefined || !here) return call.refuse('NOT_FOUND');
  if (userId === caller.actor.id) return call.refuse('CONFLICT', OWN);
  const refused = refusalOver(call, here);
  if (refused) return refused;
  if (memberships.length > 1) return call.refuse('CONFLICT', ELSEWHERE);
  return call.change(async ({ tx, emit }) => {
    const there = await lockFactors(tx, userId);
    const gone = await deleteFactors(
      tx,
      userId,
      there.map(({ id }) => id),
    );
    const subject = about.user({ id: userId });
    for (const { id, kind, name } of gone)
      emit('user.mfa_factor_removed', { ...subject, data: { factor_id: id, kind, name, by_administrator: true } });
    const ended = await endSessionsOf(tx, organizationId, userId, now);
    if (ended > 0) emit('session.revoked', { ...subject, ...EVERYWHERE, data: { sessions: ended, because: 'second_factors_reset' } });
    return { removed: gone.length };
  });
};
