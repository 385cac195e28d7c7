import { keyedDigest } from '@svc/keyring/bytes/keyed-digest.ts';
import type { MailService } from './mail-service.ts';

/** Returns the key of a recipient among mails, independent of case. */
export const getRecipientKey = ({ digestKey }: Pick<MailService, 'digestKey'>, to: string): string =>
  keyedDigest(digestKey, `recipient ${to.toLowerCase()}`);
