import type { KeyObject } from 'node:crypto';
import type { OutgoingMail } from '@svc/mail/transports/mail-transport.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { listMails } from '@svc/postgres/people/mail/list-mails.ts';
import { openMail } from './sealed-mail.ts';

export type KeptMail = OutgoingMail & { readonly created_at: string };

/** Reads the latest mails, newest first, for an operator with the database and the master key, or a user at this machine. */
export const readOutbox = async (identity: Database, sealingKey: KeyObject): Promise<readonly KeptMail[]> =>
  (await listMails(identity)).flatMap((row) => {
    const mail = openMail(sealingKey, row);
    return mail === undefined ? [] : [{ ...mail, created_at: row.created_at }];
  });
