import type { KeyObject } from 'node:crypto';
import type { WordOf } from '@svc/contract/tables/settings.ts';
import { boxed } from '@svc/mail/rendering/boxed.ts';
import type { MailTransport, OutgoingMail } from '@svc/mail/transports/mail-transport.ts';
import { newOutboxTransport } from '@svc/mail/transports/new-outbox-transport.ts';
import { newSmtpTransport } from '@svc/mail/transports/new-smtp-transport.ts';
import { type Mailer, openMailer } from './open-mailer.ts';

/** Shows a mail in the terminal of the launcher, or in that of this process; never in a log. */
const show = (mail: OutgoingMail): void => {
  if (process.send && process.connected) process.send({ mail: { to: mail.to, subject: mail.subject, text: mail.text } });
  else if (process.stdout.isTTY) process.stdout.write(`${boxed(mail)}\n`);
};

/** Settings of sending mails. */
export type MailSettings = { readonly kind: WordOf<'SVC_MAIL'>; readonly smtpUrl: string | undefined; readonly from: string };

const openTransport = ({ kind, smtpUrl, from }: MailSettings): MailTransport | undefined => {
  if (kind === 'none') return undefined;
  return kind === 'smtp' && smtpUrl !== undefined ? newSmtpTransport({ url: smtpUrl, from }) : newOutboxTransport(show);
};

/** Opens the sender of mails; undefined if no mails are sent. */
export const openMailing = (mail: MailSettings, sealingKey: KeyObject): Mailer | undefined => {
  const transport = openTransport(mail);
  return transport && openMailer({ transport, sealingKey });
};
