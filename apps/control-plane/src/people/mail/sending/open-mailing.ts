import type { KeyObject } from 'node:crypto';
import type { WordOf } from '@svc/contract/tables/settings.ts';
import { deriveKey } from '@svc/keyring/sealed/master-key.ts';
import { boxed } from '@svc/mail/rendering/boxed.ts';
import type { MailTransport, OutgoingMail } from '@svc/mail/transports/mail-transport.ts';
import { newOutboxTransport } from '@svc/mail/transports/new-outbox-transport.ts';
import { newSmtpTransport } from '@svc/mail/transports/new-smtp-transport.ts';
import type { MailDesk } from '@svc/operations/people/mail/mail-desk.ts';
import { type Mailer, openMailer } from './open-mailer.ts';

/** To the launcher, which shows it in its terminal, or to a terminal of one's own; never into a log, and nowhere where nobody looks. */
const show = (mail: OutgoingMail): void => {
  if (process.send && process.connected) process.send({ mail: { to: mail.to, subject: mail.subject, text: mail.text } });
  else if (process.stdout.isTTY) process.stdout.write(`${boxed(mail)}\n`);
};

/** What becomes of mails. */
export type MailSettings = { readonly kind: WordOf<'SVC_MAIL'>; readonly smtpUrl: string | undefined; readonly from: string };

const transportOf = ({ kind, smtpUrl, from }: MailSettings): MailTransport | undefined => {
  if (kind === 'none') return undefined;
  return kind === 'smtp' && smtpUrl !== undefined ? newSmtpTransport({ url: smtpUrl, from }) : newOutboxTransport(show);
};

/** Where mails are left, and what sends them. */
export const openMailing = (
  { mail, masterKey }: { readonly mail: MailSettings; readonly masterKey: KeyObject },
  service: () => string,
): { readonly mail: MailDesk; readonly mailer: Mailer | undefined } => {
  const sealingKey = deriveKey(masterKey, 'mail-sealing');
  const transport = transportOf(mail);
  return {
    mail: { kind: mail.kind, sealingKey, digestKey: deriveKey(masterKey, 'address-digests'), service },
    mailer: transport && openMailer({ transport, sealingKey }),
  };
};
