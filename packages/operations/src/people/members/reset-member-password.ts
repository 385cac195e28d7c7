import { buildRefusal, isRefusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { endMemberSessions } from '@svc/postgres/people/auth/member-access.ts';
import type { CallContext } from '../auth/acting.ts';
import { getMailTransport, type MailService } from '../mail/mail-service.ts';
import { type Posting, postMail } from '../mail/post-mail.ts';
import { keepMailedCodes, newMailedCodes, type ResetKeys, resetExpiry } from '../passwords/reset-codes.ts';
import { holdMember } from './hold-member.ts';

type ResetMemberPasswordRequest = CallContext & {
  readonly memberId: string;
  readonly organizationName: string;
  readonly sourceIp: string;
  readonly newId: Posting['newId'];
};

const FULL = 'Too many mails of this organization are waiting to be sent. Try again later.';

/**
 * Invalidates the password in this organization until its owner sets another with a code that is mailed to their address only. In their
 * other organizations it stays valid, since this organization does not control it.
 */
export const resetMemberPassword = async (
  { tx, emit }: Change<'session.revoked'>,
  request: ResetMemberPasswordRequest,
  deps: { readonly mail: MailService; readonly resetKeys: ResetKeys },
) => {
  const { scope, now, memberId, organizationName } = request;
  const organizationId = scope.organization_id;
  const member = await holdMember(tx, request, memberId);
  if (isRefusal(member)) return member;
  await endMemberSessions(tx, { organizationId, memberId: member.id, now, withPassword: true });
  const service = deps.mail.service();
  const codes = newMailedCodes(service, member.email);
  await keepMailedCodes(tx, deps.resetKeys, codes, { email: member.email, now, always: true });
  const taken = await postMail(deps, request, tx, {
    to: member.email,
    template: 'password-reset-by-administrator',
    values: {
      service,
      organization: organizationName,
      code: codes.code,
      link: codes.link,
      minutes: String(LIMITS.codes.lifetimeSeconds / 60),
    },
    organizationId,
    lifetimeSeconds: LIMITS.codes.lifetimeSeconds,
  });
  if (!taken) return buildRefusal('RATE_LIMITED', FULL, { retry_after_seconds: 60 });
  emit('session.revoked', { ...about.member(member), data: { user_id: member.user_id, all: true, because: 'password_reset' } });
  return { member_id: member.id, code_expires_at: resetExpiry(now).toISOString(), mail_transport: getMailTransport(deps.mail) };
};
