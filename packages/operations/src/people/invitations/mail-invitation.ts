import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import type { MailService } from '../mail/mail-service.ts';
import { type Posting, postMail } from '../mail/post-mail.ts';

type Sent = {
  readonly organization: { readonly id: string; readonly name: string };
  readonly to: string;
  readonly inviter: string;
  readonly role: string;
  readonly code: string;
};

const { lifetimeDays } = LIMITS.invitations;

/** Enqueues the mail of an invitation; false if too many are waiting. The code is in the URL fragment, so that no server logs it. */
export const mailInvitation = (
  deps: { readonly mail: MailService },
  posting: Posting,
  tx: TenantTransaction,
  { organization, to, inviter, role, code }: Sent,
): Promise<boolean> => {
  const service = deps.mail.service();
  const link = `${service}/invitation#code=${code}`;
  return postMail(deps, posting, tx, {
    to,
    template: 'invitation',
    values: { service, organization: organization.name, inviter, role, days: String(lifetimeDays), link },
    organizationId: organization.id,
    lifetimeSeconds: lifetimeDays * 86_400,
  });
};
