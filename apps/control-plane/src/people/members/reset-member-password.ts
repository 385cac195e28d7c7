import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { refuseWithoutMail, transportTold } from '@svc/operations/people/mail/mail-desk.ts';
import { postMail } from '@svc/operations/people/mail/post-mail.ts';
import { keepMailedCodes, newMailedCodes, resetExpiry } from '@svc/operations/people/passwords/reset-codes.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { endMemberSessions } from '@svc/postgres/people/auth/member-access.ts';
import type { ControlDeps } from '../../deps.ts';
import { holdMember } from './held/hold-member.ts';

const FULL = 'Too many mails of this organization are waiting to be sent. Try again later.';

/**
 * The password lets nobody into this organization any more until its owner sets another, by the code that goes to their address and to nobody
 * else. In other organizations of theirs it stays what it is, since it is not this one's to take.
 */
export const resetMemberPassword: Handler<Endpoints['resetMemberPassword'], ControlDeps> = async (call, deps) => {
  const unable = refuseWithoutMail(deps.mail);
  if (unable) return unable;
  const { now, caller, params, scope } = call;
  const organizationId = scope.organization_id;
  return call.change(async ({ tx, emit }) => {
    const member = await holdMember(tx, call, params.memberId);
    if (isRefusal(member)) return member;
    await endMemberSessions(tx, { organizationId, memberId: member.id, now, withPassword: true });
    const service = deps.mail.service();
    const codes = newMailedCodes(service, member.email);
    await keepMailedCodes(tx, deps.resetKeys, codes, { email: member.email, now, always: true });
    const taken = await postMail(deps, call, tx, {
      to: member.email,
      template: 'password-reset-by-administrator',
      values: {
        service,
        organization: caller.organizationName,
        code: codes.code,
        link: codes.link,
        minutes: String(LIMITS.codes.lifetimeSeconds / 60),
      },
      organizationId,
      lifetimeSeconds: LIMITS.codes.lifetimeSeconds,
    });
    if (!taken) return call.refuse('RATE_LIMITED', FULL, { retry_after_seconds: 60 });
    emit('session.revoked', { ...about.member(member), data: { user_id: member.user_id, all: true, because: 'password_reset' } });
    return { member_id: member.id, code_expires_at: resetExpiry(now).toISOString(), mail_transport: transportTold(deps.mail) };
  });
};
