import { getDemoAddress } from '@svc/contract/people/demo-account.ts';
import { sql } from 'kysely';
import type { Database } from '../connection/connect.ts';
import type { TenantTransaction } from '../connection/in-tenant.ts';

/** True if anyone has an organization of their own; those of the demo do not count. */
const SOMEBODY_SIGNED_UP = sql<boolean>`exists (select from users where email not like ${getDemoAddress('%')})`;

/** Stores a link if no one has signed up yet; returns true if it was stored. */
export const insertSetupLink = async (identity: Database, tokenHash: Buffer): Promise<boolean> => {
  const { rows } = await sql<{ kept: true }>`
    insert into setup_links (token_hash) select ${tokenHash}
     where not ${SOMEBODY_SIGNED_UP} returning true as kept`.execute(identity);
  return rows.length > 0;
};

/** A link is valid until it is used or anyone signs up without it. */
export const isSetupLinkAlive = async (identity: Database, tokenHash: Buffer): Promise<boolean> =>
  (await identity
    .selectFrom('setup_links')
    .select('created_at')
    .where('token_hash', '=', tokenHash)
    .where('used_at', 'is', null)
    .where(({ not }) => not(SOMEBODY_SIGNED_UP))
    .executeTakeFirst()) !== undefined;

/** Returns true if there is any account, those of the demo included. */
export const hasAccount = async (identity: Database): Promise<boolean> => {
  const { rows } = await sql<{ there: boolean }>`select exists (select from users) as there`.execute(identity);
  return rows[0]?.there ?? true;
};

/** Serializes sign-ups: waits until every other that takes this lock has ended. */
export const takeSignUpTurn = async (tx: TenantTransaction): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended('svc sign-up', 0))`.execute(tx);
};

/** Ends every link with the first real organization, in the transaction of the sign-up. */
export const endSetupLinks = async (tx: TenantTransaction, now: Date): Promise<void> => {
  await tx.updateTable('setup_links').set({ used_at: now }).where('used_at', 'is', null).execute();
};
