import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { memberRights, readMemberRole } from '../../people/auth/member-rights.ts';

/** A connection in the browser under way. */
export type ConnectionAttempt = {
  readonly organization_id: string;
  readonly credential_id: string;
  readonly user_id: string;
  readonly session_id: string;
  readonly redirect_uri: string;
};

type Hashes = { readonly state_hash: Buffer; readonly browser_hash: Buffer };

/** Stores an attempt, and deletes expired ones of the organization and the oldest of a person with too many. */
export const insertConnectionAttempt = async (
  tx: TenantTransaction,
  attempt: ConnectionAttempt & Hashes,
  { expiresAt, now, pendingMax }: { readonly expiresAt: Date; readonly now: Date; readonly pendingMax: number },
): Promise<void> => {
  const { organization_id, user_id } = attempt;
  await tx
    .insertInto('credential_attempts')
    .values({ ...attempt, expires_at: expiresAt })
    .execute();
  await sql`
    delete from credential_attempts where organization_id = ${organization_id} and state_hash in (
      (select state_hash from credential_attempts where organization_id = ${organization_id} and expires_at < ${now} limit 100)
      union all
      (select state_hash from credential_attempts where organization_id = ${organization_id} and user_id = ${user_id}
        order by expires_at desc offset ${pendingMax} limit 100))`.execute(tx);
};

/** Takes an attempt: of many who come with the same state one gets it, and only the browser that began it, for the credential of its address. */
export const takeConnectionAttempt = async (
  identity: Database,
  { state_hash, browser_hash, credential_id }: Hashes & { readonly credential_id: string },
  now: Date,
): Promise<ConnectionAttempt | undefined> => {
  const { rows } = await sql<ConnectionAttempt>`
    delete from credential_attempts
     where state_hash = ${state_hash} and browser_hash = ${browser_hash} and credential_id = ${credential_id} and expires_at > ${now}
    returning organization_id, credential_id, user_id, session_id, redirect_uri`.execute(identity);
  return rows[0];
};

/** Returns the current rights of a person in the organization; undefined for a non-member. */
export const readMemberRights = async (tx: TenantTransaction, organizationId: string, userId: string) => {
  const { rows } = await sql<{ readonly permissions: readonly string[]; readonly workspace_ids: readonly string[] | null }>`
    select ${memberRights} from members m ${readMemberRole('m')} where m.organization_id = ${organizationId} and m.user_id = ${userId}`.execute(
    tx,
  );
  return rows[0];
};
