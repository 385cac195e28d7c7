import { NOBODYS_ORGANIZATION } from '@svc/contract/people/nobodys-organization.ts';
import type { IdNoun, IdOf } from '@svc/contract/tables/ids.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { addressGroup } from '@svc/domain/people/auth/address-group.ts';
import { keyedDigest } from '@svc/keyring/bytes/keyed-digest.ts';
import { sealWith } from '@svc/keyring/sealed/envelope.ts';
import { MAIL_TEMPLATES, type MailName, type MailValues } from '@svc/mail/templates/templates.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { enqueueMail } from '@svc/postgres/people/mail/enqueue-mail.ts';
import type { MailDesk } from './mail-desk.ts';
import { recipientKey } from './recipient-key.ts';
import { mailPlace } from './sealed-mail.ts';

/** What a call gives of itself; a job gives the same of its own. */
export type Posting = { readonly now: Date; readonly sourceIp: string; readonly newId: <Noun extends IdNoun>(noun: Noun) => IdOf<Noun> };

export type Mail<Name extends MailName> = {
  readonly to: string;
  readonly template: Name;
  readonly values: MailValues<Name>;
  /** Whose mail it is, as the transaction is scoped; left out where it is a stranger's, in the scope of nobody's organization. */
  readonly organizationId?: string;
  /** What has a share of its own, so that it keeps no mail of the organization waiting that somebody waits for. */
  readonly share?: 'notifications';
  /** How long it is worth sending: as long as the code it holds. */
  readonly lifetimeSeconds?: number;
};

/**
 * Leaves a mail to be sent, in the transaction of what it tells of; nobody waits for a mail server. False where it was not taken since too
 * many of the same sender wait: then an organization is told so (RATE_LIMITED), and a stranger is answered as ever.
 */
export const postMail = async <Name extends MailName>(
  { mail: desk }: { readonly mail: MailDesk },
  { now, sourceIp, newId }: Posting,
  tx: TenantTransaction,
  { to, template, values, share, organizationId = NOBODYS_ORGANIZATION, lifetimeSeconds = LIMITS.mail.lifetimeSeconds }: Mail<Name>,
): Promise<boolean> => {
  if (desk.kind === 'none') return true;
  const id = newId('mail');
  return enqueueMail(tx, {
    organization_id: organizationId,
    id,
    template,
    sealed: sealWith(desk.sealingKey, Buffer.from(JSON.stringify({ to, values })), mailPlace(organizationId, id)),
    recipient_key: recipientKey(desk, to),
    sender_key:
      organizationId === NOBODYS_ORGANIZATION
        ? keyedDigest(desk.digestKey, `stranger ${addressGroup(sourceIp)}`)
        : [organizationId, ...(share ? [share] : [])].join(' '),
    per_hour_max: MAIL_TEMPLATES[template].perHourMax,
    now,
    expires_at: new Date(now.getTime() + lifetimeSeconds * 1000),
  });
};
