import { keyedDigest } from '@svc/keyring/bytes/keyed-digest.ts';
import type { MailDesk } from './mail-desk.ts';

/** Returns the key of a recipient among mails, independent of case. */
export const getRecipientKey = ({ digestKey }: Pick<MailDesk, 'digestKey'>, to: string): string =>
  keyedDigest(digestKey, `recipient ${to.toLowerCase()}`);
