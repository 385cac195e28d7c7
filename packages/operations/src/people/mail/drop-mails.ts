import type { MailName } from '@svc/mail/templates/templates.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { dropMails as drop } from '@svc/postgres/people/mail/drop-mails.ts';
import type { MailService } from './mail-service.ts';
import { getRecipientKey } from './recipient-key.ts';

type Dropped = { readonly to: string; readonly template: MailName; readonly organizationId: string };

/** Drops pending mails of a template to a recipient, in the transaction that reverts their cause. */
export const dropMails = (
  { mail: desk }: { readonly mail: MailService },
  now: Date,
  tx: TenantTransaction,
  { to, template, organizationId }: Dropped,
): Promise<void> => drop(tx, { organization_id: organizationId, recipient_key: getRecipientKey(desk, to), template }, now);
