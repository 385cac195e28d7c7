import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';

/** A sign-in at a provider under way, and where it is to end. */
export type Attempt = {
  readonly organization_id: string;
  readonly connection_id: string;
  readonly redirect_uri: string;
  /** Who links an identity by it, in which session; null where somebody signs in. */
  readonly link_user_id: string | null;
  readonly link_session_id: string | null;
  readonly return_to: string | null;
};

type Secrets = { readonly state_hash: Buffer; readonly browser_hash: Buffer };

/** Keeps an attempt, and drops a few of those that are over. */
export const insertAttempt = async (identity: Database, attempt: Attempt & Secrets, now: Date, lifeSeconds: number): Promise<void> => {
  const expires_at = new Date(now.getTime() + lifeSeconds * 1000);
  await identity
    .insertInto('sso_attempts')
    .values({ ...attempt, expires_at })
    .execute();
  await sql`delete from sso_attempts where state_hash in (
    select state_hash from sso_attempts where expires_at < ${now}::timestamptz order by expires_at limit 20 for update skip locked)`.execute(
    identity,
  );
};

/** Takes an attempt: of many who come with the same state one gets it, and only the browser that began it. */
export const takeAttempt = async (identity: Database, { state_hash, browser_hash }: Secrets, now: Date): Promise<Attempt | undefined> => {
  const { rows } = await sql<Attempt>`
    delete from sso_attempts where state_hash = ${state_hash} and browser_hash = ${browser_hash} and expires_at > ${now}::timestamptz
    returning organization_id, connection_id, redirect_uri, link_user_id, link_session_id, return_to`.execute(identity);
  return rows[0];
};
