import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import type { MailService } from './mail-service.ts';
import { type Posting, postMail } from './post-mail.ts';

const NOTICES = {
  factor_added: 'A second factor was added to your account.',
  factor_removed: 'A second factor was removed from your account.',
  factors_reset: 'An administrator removed the second factors of your account, and ended your sessions.',
  factors_removed_by_operator: 'The operator of the service removed the second factors of your account, and ended your sessions.',
  password_removed_by_operator: 'The operator of the service removed the password of your account, and ended your sessions.',
  recovery_codes: 'New recovery codes were created for your account. The previous codes no longer work.',
  key_made: 'An API key was created in your name, in an organization that you own.',
  terminal: 'A terminal signed in as you from a new network.',
} as const;

type Notice = { readonly what: keyof typeof NOTICES; readonly to: string; readonly organizationId: string };

/** Mails the owner of an account in the transaction of the change. A full queue of mails does not stop the change. */
export const postNotice = (
  desk: { readonly mail: MailService },
  posting: Posting,
  tx: TenantTransaction,
  { what, to, organizationId }: Notice,
): Promise<boolean> => {
  const values = { service: desk.mail.service(), what: NOTICES[what], at: posting.now.toISOString(), source_ip: posting.sourceIp };
  return postMail(desk, posting, tx, { to, template: 'account-notice', values, organizationId });
};
