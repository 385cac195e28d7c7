import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import type { MailService } from '../mail/mail-service.ts';
import { type Posting, postMail } from '../mail/post-mail.ts';

/** Mails the owner of the account about every change of the password, also by others. A full queue of mails does not stop the change. */
export const postPasswordChanged = (
  deps: { readonly mail: MailService },
  call: Posting,
  tx: TenantTransaction,
  { email, organizationId }: { readonly email: string; readonly organizationId: string },
): Promise<boolean> =>
  postMail(deps, call, tx, {
    to: email,
    template: 'password-changed',
    values: { service: deps.mail.service(), source_ip: call.sourceIp, changed_at: call.now.toISOString() },
    organizationId,
  });
