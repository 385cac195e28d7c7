import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { endMemberSessions } from '@svc/postgres/people/auth/member-access.ts';
import type { CallContext } from '../auth/acting.ts';
import { holdMember } from './hold-member.ts';

/** Ends the sessions in this organization only: others are not its to end. Earlier sessions elsewhere cannot be switched back into it. */
export const revokeMemberSessions = async (
  { tx, emit }: Change<'session.revoked'>,
  request: CallContext & { readonly memberId: string },
) => {
  const member = await holdMember(tx, request, request.memberId);
  if (isRefusal(member)) return member;
  await endMemberSessions(tx, { organizationId: request.scope.organization_id, memberId: member.id, now: request.now });
  emit('session.revoked', { ...about.member(member), data: { user_id: member.user_id, all: true } });
  return { member_id: member.id, revoked: true };
};
