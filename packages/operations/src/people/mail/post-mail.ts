import { NOBODYS_ORGANIZATION } from '@svc/contract/people/nobodys-organization.ts';
import type { IdNoun, IdOf } from '@svc/contract/tables/ids.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { getAddressGroup } from '@svc/domain/people/auth/address-group.ts';
import { keyedDigest } from '@svc/keyring/bytes/keyed-digest.ts';
import { sealEnvelope } from '@svc/keyring/sealed/envelope.ts';
import { MAIL_TEMPLATES, type MailName, type MailValues } from '@svc/mail/templates/templates.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { enqueueMail } from '@svc/postgres/people/mail/enqueue-mail.ts';
import type { MailService } from './mail-service.ts';
import { getRecipientKey } from './recipient-key.ts';
import { mailPlace } from './sealed-mail.ts';

/** Members of a call that mailing needs; a job provides its own. */
export type Posting = { readonly now: Date; readonly sourceIp: string; readonly newId: <Noun extends IdNoun>(noun: Noun) => IdOf<Noun> };

export type Mail<Name extends MailName> = {
  readonly to: string;
  readonly template: Name;
  readonly values: MailValues<Name>;
  /**
   * Organization of the mail, as the transaction is scoped; omitted for a mail caused by an unauthenticated client, which belongs to none.
   */
  readonly organizationId?: string;
  /** Share of the queue for notifications, so that they do not delay mails that a user waits for. */
  readonly share?: 'notifications';
  /** Time after which the mail is dropped: the lifetime of its code. */
  readonly lifetimeSeconds?: number;
};

/**
 * Enqueues a mail in the caller's transaction (transactional outbox). False if too many of the same sender wait: an organization then gets
 * RATE_LIMITED, and an unauthenticated client the usual response.
 */
export const postMail = async <Name extends MailName>(
  { mail: desk }: { readonly mail: MailService },
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
    sealed: sealEnvelope(desk.sealingKey, Buffer.from(JSON.stringify({ to, values })), mailPlace(organizationId, id)),
    recipient_key: getRecipientKey(desk, to),
    sender_key:
      organizationId === NOBODYS_ORGANIZATION
        ? keyedDigest(desk.digestKey, `stranger ${getAddressGroup(sourceIp)}`)
        : [organizationId, ...(share ? [share] : [])].join(' '),
    per_hour_max: MAIL_TEMPLATES[template].perHourMax,
    now,
    expires_at: new Date(now.getTime() + lifetimeSeconds * 1000),
  });
};
