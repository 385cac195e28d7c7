import { openEnvelope } from '@svc/keyring/sealed/envelope.ts';
import { deriveKey, readMasterKey } from '@svc/keyring/sealed/master-key.ts';
import type pg from 'pg';
import { TEST_MASTER_KEY } from '../database/master-key.ts';

/** A queued mail in the outbox of the planes. */
export type WaitingMail = { readonly to: string; readonly template: string; readonly values: Readonly<Record<string, string>> };

const read = readMasterKey(TEST_MASTER_KEY);
if (!read.ok) throw new Error(read.reason);
const sealing = deriveKey(read.key, 'mail-sealing');

type Row = { readonly organization_id: string; readonly id: string; readonly template: string; readonly sealed: Buffer };

/** Returns the mails to an address, in any case of its letters, latest first. They are present as soon as the change has responded. */
export const getMailsTo = async (owner: pg.ClientBase, address: string): Promise<readonly WaitingMail[]> => {
  const { rows } = await owner.query<Row>(
    'select organization_id, id, template, sealed from mails where sealed is not null order by created_at desc, id desc',
  );
  return rows
    .map(({ organization_id, id, template, sealed }) => ({
      template,
      ...(JSON.parse(openEnvelope(sealing, sealed, `mails/${organization_id}/${id}`).toString('utf8')) as Omit<WaitingMail, 'template'>),
    }))
    .filter(({ to }) => to.toLowerCase() === address.toLowerCase());
};

/** Returns the latest code that was mailed to an address. */
export const getCodeTo = async (owner: pg.ClientBase, address: string): Promise<string> => {
  const code = (await getMailsTo(owner, address)).map(({ values }) => values.code).find((each) => each !== undefined);
  if (code === undefined) throw new Error(`no code was mailed to ${address}`);
  return code;
};
