import { buildRefusal, isRefusal } from '@svc/contract/rows/refusal.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { endMemberSessions } from '@svc/postgres/people/auth/member-access.ts';
import { takeShortPasswordAway } from '@svc/postgres/people/passwords/passwords.ts';
import { deleteFactors, isElsewhere, lockFactors } from '@svc/postgres/people/second-factors/second-factors.ts';
import type { CallContext } from '../auth/acting.ts';
import type { MailService } from '../mail/mail-service.ts';
import type { Posting } from '../mail/post-mail.ts';
import { postNotice } from '../mail/post-notice.ts';
import { holdMember } from '../members/hold-member.ts';

type ResetMemberMfaRequest = CallContext & { readonly memberId: string; readonly sourceIp: string; readonly newId: Posting['newId'] };

const OWN = 'Your own second factors you remove with DELETE /v1/auth/mfa/factors/{factorId}.';

const ELSEWHERE =
  'This person belongs to other organizations that rely on the same second factors. They can sign in with a recovery code, or the operator of the service can reset the factors.';

/**
 * Resets a member's factors. Factors belong to the person: an administrator removes those of people without another organization, and of
 * everyone those that count in this organization only.
 */
export const resetMemberMfa = async (
  { tx, emit }: Change<'user.mfa_factor_removed' | 'user.password_changed' | 'session.revoked'>,
  request: ResetMemberMfaRequest,
  deps: { readonly mail: MailService; readonly identity: Database },
) => {
  const { scope, now, actor } = request;
  const member = await holdMember(tx, request, request.memberId);
  if (isRefusal(member)) return member;
  const { user_id: userId } = member;
  if (userId === actor.id) return buildRefusal('CONFLICT', OWN);
  const isMemberElsewhere = await isElsewhere(deps.identity, userId, scope.organization_id);
  const there = (await lockFactors(tx, userId)).filter(({ vouchedBy }) => !isMemberElsewhere || vouchedBy === scope.organization_id);
  if (isMemberElsewhere && there.length === 0) return buildRefusal('CONFLICT', ELSEWHERE);
  const gone = await deleteFactors(
    tx,
    userId,
    there.map(({ id }) => id),
  );
  for (const { id, kind, name } of gone) {
    const data = { factor_id: id, kind, name, by_administrator: true };
    emit('user.mfa_factor_removed', { ...about.user({ id: userId }), data });
  }
  // A password that is too short without a second factor becomes invalid; they request a code to set another.
  if (await takeShortPasswordAway(tx, userId, now)) {
    const data = { by_administrator: true, password_taken_away: true };
    emit('user.password_changed', { ...about.user({ id: userId }), data });
  }
  await endMemberSessions(tx, { organizationId: scope.organization_id, memberId: member.id, now });
  emit('session.revoked', { ...about.member(member), data: { user_id: userId, all: true, because: 'second_factors_reset' } });
  await postNotice(deps, request, tx, { what: 'factors_reset', to: member.email, organizationId: scope.organization_id });
  return { removed: gone.length };
};
