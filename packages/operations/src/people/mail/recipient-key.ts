import { keyedDigest } from '@svc/keyring/bytes/keyed-digest.ts';
import type { MailDesk } from './mail-desk.ts';

/** What a recipient is known by among mails, whichever case their address is written in. */
export const recipientKey = ({ digestKey }: Pick<MailDesk, 'digestKey'>, to: string): string =>
  keyedDigest(digestKey, `recipient ${to.toLowerCase()}`);
