import type { KeyObject } from 'node:crypto';
import { CredentialKeyError } from '@svc/keyring/sealed/credential-key-error.ts';
import { openEnvelope } from '@svc/keyring/sealed/envelope.ts';
import { renderMail } from '@svc/mail/rendering/render-mail.ts';
import { isMailName, MAIL_TEMPLATES } from '@svc/mail/templates/templates.ts';
import type { OutgoingMail } from '@svc/mail/transports/mail-transport.ts';

/** Returns the associated data that binds a sealed mail to its row. */
export const mailPlace = (organizationId: string, id: string): string => `mails/${organizationId}/${id}`;

type SealedMail = { readonly organization_id: string; readonly id: string; readonly template: string; readonly sealed: Buffer };

/** Returns null if it was sealed under another master key. */
const unseal = (sealingKey: KeyObject, { organization_id, id, sealed }: SealedMail): string | null => {
  try {
    return openEnvelope(sealingKey, sealed, mailPlace(organization_id, id)).toString('utf8');
  } catch (error) {
    if (error instanceof CredentialKeyError) return null;
    throw error;
  }
};

/** Opens a mail; undefined if it was sealed under another master key, or this version has no such template. */
export const openMail = (sealingKey: KeyObject, row: SealedMail): OutgoingMail | undefined => {
  const opened = isMailName(row.template) ? unseal(sealingKey, row) : null;
  if (opened === null || !isMailName(row.template)) return undefined;
  const { to, values } = JSON.parse(opened) as { readonly to: string; readonly values: Readonly<Record<string, string>> };
  return { id: row.id, to, ...renderMail(MAIL_TEMPLATES[row.template], values) };
};
