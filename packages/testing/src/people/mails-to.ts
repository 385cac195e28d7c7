import { openEnvelope } from '@svc/keyring/sealed/envelope.ts';
import { deriveKey, readMasterKey } from '@svc/keyring/sealed/master-key.ts';
import type pg from 'pg';
import { TEST_MASTER_KEY } from '../database/master-key.ts';

export type DecryptedMail = { readonly template: string; readonly values: Readonly<Record<string, string>> };

const read = readMasterKey(TEST_MASTER_KEY);
if (!read.ok) throw new Error(read.reason);
const sealingKey = deriveKey(read.key, 'mail-sealing');

/** Returns the mails to an address, sent or queued, oldest first. The client must be connected as the database owner. */
export const getMailsTo = async (client: pg.Client, address: string): Promise<DecryptedMail[]> => {
  const { rows } = await client.query('select organization_id, id, template, sealed from mails where sealed is not null order by id');
  return rows.flatMap(({ organization_id, id, template, sealed }) => {
    const { to, values } = JSON.parse(openEnvelope(sealingKey, sealed, `mails/${organization_id}/${id}`).toString('utf8'));
    return to === address ? [{ template, values }] : [];
  });
};

/** Returns the code of the newest invitation mail to an address. */
export const getInvitationCode = async (client: pg.Client, address: string): Promise<string> => {
  const link = (await getMailsTo(client, address)).findLast(({ template }) => template === 'invitation')?.values.link;
  if (link === undefined) throw new Error(`no invitation was mailed to ${address}`);
  return new URL(link).hash.replace('#code=', '');
};
