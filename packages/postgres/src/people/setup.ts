import { demoAddress } from '@svc/contract/people/demo-account.ts';
import { sql } from 'kysely';
import type { Database } from '../connection/connect.ts';
import type { TenantTransaction } from '../connection/in-tenant.ts';

/** Whether anybody has an organization of their own; what the demo made for itself is nobody's. */
const SOMEBODY_SIGNED_UP = sql<boolean>`exists (select from users where email not like ${demoAddress('%')})`;

/** Keeps a link when nobody has signed up yet; answers whether it was kept. */
export const insertSetupLink = async (identity: Database, tokenHash: Buffer): Promise<boolean> => {
  const { rows } = await sql<{ kept: true }>`
    insert into setup_links (token_hash) select ${tokenHash}
     where not ${SOMEBODY_SIGNED_UP} returning true as kept`.execute(identity);
  return rows.length > 0;
};

/** A link lives until it was used or anybody signed up without it, whichever comes first. */
export const isSetupLinkAlive = async (identity: Database, tokenHash: Buffer): Promise<boolean> =>
  (await identity
    .selectFrom('setup_links')
    .select('created_at')
    .where('token_hash', '=', tokenHash)
    .where('used_at', 'is', null)
    .where(({ not }) => not(SOMEBODY_SIGNED_UP))
    .executeTakeFirst()) !== undefined;

/** Whether there is any account at all, one of the demo's included. */
export const hasAccount = async (identity: Database): Promise<boolean> => {
  const { rows } = await sql<{ there: boolean }>`select exists (select from users) as there`.execute(identity);
  return rows[0]?.there ?? true;
};

/** In the transaction of a sign-up: waits until every other that takes its turn has ended. */
export const takeSignUpTurn = async (tx: TenantTransaction): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended('svc sign-up', 0))`.execute(tx);
};

/** In the transaction of a sign-up: every link ends with the first organization that is somebody's. */
export const endSetupLinks = async (tx: TenantTransaction, now: Date): Promise<void> => {
  await tx.updateTable('setup_links').set({ used_at: now }).where('used_at', 'is', null).execute();
};
