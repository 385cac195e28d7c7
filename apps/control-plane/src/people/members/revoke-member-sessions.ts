import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { endMemberSessions } from '@svc/postgres/people/auth/member-access.ts';
import type { ControlDeps } from '../../deps.ts';
import { holdMember } from '@svc/operations/people/members/hold-member.ts';

/** Of this organization alone: what the person has in others is not its to end. Nothing of before is switched back into it either. */
export const revokeMemberSessions: Handler<Endpoints['revokeMemberSessions'], ControlDeps> = (call) =>
  call.change(async ({ tx, emit }) => {
    const member = await holdMember(tx, call, call.params.memberId);
    if (isRefusal(member)) return member;
    await endMemberSessions(tx, { organizationId: call.scope.organization_id, memberId: member.id, now: call.now });
    emit('session.revoked', { ...about.member(member), data: { user_id: member.user_id, all: true } });
    return { member_id: member.id, revoked: true };
  });
