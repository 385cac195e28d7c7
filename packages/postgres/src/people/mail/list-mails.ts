import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Database } from '../../connection/connect.ts';

export type ListedMail = {
  readonly organization_id: string;
  readonly id: string;
  readonly template: string;
  readonly sealed: Buffer;
  readonly created_at: string;
};

/** The latest mails whose words are still here, newest first. */
export const listMails = async (identity: Database): Promise<readonly ListedMail[]> => {
  const rows = await identity
    .selectFrom('mails')
    .select(['organization_id', 'id', 'template', 'sealed', 'created_at'])
    .where('sealed', 'is not', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(LIMITS.mail.listedMax)
    .execute();
  return rows.flatMap(({ sealed, ...row }) => (sealed === null ? [] : [{ ...row, sealed }]));
};
