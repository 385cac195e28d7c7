import type { KeyObject } from 'node:crypto';
import { openWith } from '@svc/keyring/sealed/envelope.ts';
import { renderMail } from '@svc/mail/rendering/render-mail.ts';
import { isMailName, MAIL_TEMPLATES } from '@svc/mail/templates/templates.ts';
import type { OutgoingMail } from '@svc/mail/transports/mail-transport.ts';

/** The one row from which a sealed mail opens. */
export const mailPlace = (organizationId: string, id: string): string => `mails/${organizationId}/${id}`;

type SealedMail = { readonly organization_id: string; readonly id: string; readonly template: string; readonly sealed: Buffer };

/** A mail as it is to be read; undefined where this version knows no such template. Throws CredentialKeyError under another master key. */
export const openMail = (sealingKey: KeyObject, { organization_id, id, template, sealed }: SealedMail): OutgoingMail | undefined => {
  if (!isMailName(template)) return undefined;
  const { to, values } = JSON.parse(openWith(sealingKey, sealed, mailPlace(organization_id, id)).toString('utf8')) as {
    readonly to: string;
    readonly values: Readonly<Record<string, string>>;
  };
  return { id, to, ...renderMail(MAIL_TEMPLATES[template], values) };
};
