import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';

/** A sign-in attempt at a provider, and its destination. */
export type SsoAttempt = {
  readonly organization_id: string;
  readonly connection_id: string;
  readonly redirect_uri: string;
  /** The person who links an identity, in which session; null for a sign-in. */
  readonly link_user_id: string | null;
  readonly link_session_id: string | null;
  readonly return_to: string | null;
};

type Secrets = { readonly state_hash: Buffer; readonly browser_hash: Buffer };

/** With SAML: what names the request that is to be answered. */
type Asked = { readonly request_hash: Buffer | null };

/** A response that arrived without the browser that began. */
type Answered = { readonly sealed_answer: Buffer | null };

/** Stores an attempt, and deletes a few expired ones. */
export const insertAttempt = async (
  identity: Database,
  attempt: SsoAttempt & Secrets & Asked,
  now: Date,
  lifeSeconds: number,
): Promise<void> => {
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
export const takeAttempt = async (
  identity: Database,
  { state_hash, browser_hash }: Secrets,
  now: Date,
): Promise<(SsoAttempt & Answered) | undefined> => {
  const { rows } = await sql<SsoAttempt & Answered>`
    delete from sso_attempts where state_hash = ${state_hash} and browser_hash = ${browser_hash} and expires_at > ${now}::timestamptz
    returning organization_id, connection_id, redirect_uri, link_user_id, link_session_id, return_to, sealed_answer`.execute(identity);
  return rows[0];
};

type Answering = { readonly state_hash: Buffer; readonly redirect_uri: string };

/** Claims a response to an attempt, before it is read: of several for the same one, one is read. */
export const takeUpAnswer = async (
  identity: Database,
  { state_hash, redirect_uri }: Answering,
  now: Date,
): Promise<(SsoAttempt & { readonly request_hash: Buffer }) | undefined> => {
  const { rows } = await sql<SsoAttempt & { request_hash: Buffer }>`
    update sso_attempts set answered_at = ${now}::timestamptz
     where state_hash = ${state_hash} and redirect_uri = ${redirect_uri} and request_hash is not null and answered_at is null
       and expires_at > ${now}::timestamptz
    returning organization_id, connection_id, redirect_uri, link_user_id, link_session_id, return_to, request_hash`.execute(identity);
  return rows[0];
};

export type Verified = {
  readonly organization_id: string;
  readonly connection_id: string;
  readonly state_hash: Buffer;
  readonly assertion_hash: Buffer;
  readonly assertion_ends: Date;
  readonly sealed_answer: Buffer;
};

/**
 * Stores a verified response for its browser, for some seconds; returns false if the assertion was used before. Deletes a few expired ones.
 */
export const keepAnswer = async (identity: Database, answer: Verified, now: Date, lifeSeconds: number): Promise<boolean> => {
  const until = new Date(now.getTime() + lifeSeconds * 1000);
  const { organization_id, connection_id, assertion_hash, assertion_ends, sealed_answer, state_hash } = answer;
  const { rows } = await sql`
    with used as (
      insert into sso_assertions (organization_id, connection_id, assertion_hash, expires_at)
      values (${organization_id}, ${connection_id}, ${assertion_hash}, ${assertion_ends}) on conflict do nothing returning 1
    )
    update sso_attempts set sealed_answer = ${sealed_answer}, expires_at = least(expires_at, ${until}::timestamptz)
     where state_hash = ${state_hash} and exists (select from used) returning 1`.execute(identity);
  await sql`delete from sso_assertions where (organization_id, connection_id, assertion_hash) in (
    select organization_id, connection_id, assertion_hash from sso_assertions where expires_at < ${now}::timestamptz
     order by expires_at limit 20 for update skip locked)`.execute(identity);
  return rows.length > 0;
};
