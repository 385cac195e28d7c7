import { LIMITS } from '@svc/contract/tables/limits.ts';
import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

/** An account as a sign-in at a provider of one organization finds it by its address. */
export type AccountOfAddress = {
  readonly id: string;
  /** True once its address was proved. */
  readonly is_proved: boolean;
  readonly has_password: boolean;
  /** True if the person is a member of another organization. */
  readonly is_elsewhere: boolean;
};

/** Finds the account of an address, in any organization. */
export const findAccountOfAddress = async (
  identity: Database,
  email: string,
  organizationId: string,
): Promise<AccountOfAddress | undefined> => {
  const { rows } = await sql<AccountOfAddress>`
    select u.id, u.email_verified_at is not null as is_proved, u.password_hash is not null as has_password,
           exists (select from members m where m.user_id = u.id and m.organization_id <> ${organizationId}) as is_elsewhere
      from users u where u.email = ${email}`.execute(identity);
  return rows[0];
};

/**
 * Records the first proof of a person's address; of concurrent ones this is true for one. The
 * password is removed, and every session ends, in all organizations.
 */
export const claimAddress = async (tx: TenantTransaction, userId: string, now: Date): Promise<boolean> => {
  const { numAffectedRows } = await sql`
    update users set email_verified_at = ${now}, password_hash = null, password_changed_at = ${now}, password_is_short = false,
           session_epoch = session_epoch + 1
     where id = ${userId} and email_verified_at is null`.execute(tx);
  return (numAffectedRows ?? 0n) > 0n;
};

/** Returns true if a person founded the organization and is still its only member. */
export const isFoundedAlone = async (tx: TenantTransaction, organizationId: string, userId: string): Promise<boolean> => {
  const { rows } = await sql`
    select from organizations o join members m on m.organization_id = o.id and m.user_id = ${userId} and m.created_at = o.created_at
     where o.id = ${organizationId} and not exists (select from members x where x.organization_id = o.id and x.user_id <> m.user_id)`.execute(
    tx,
  );
  return rows.length > 0;
};

export type EndedIdentity = { readonly id: string; readonly connection_id: string; readonly subject: string };

/** Unlinks every identity of a person in the organization. */
export const endPersonIdentities = (tx: TenantTransaction, organizationId: string, userId: string): Promise<EndedIdentity[]> =>
  tx
    .deleteFrom('sso_identities')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .returning(['id', 'connection_id', 'subject'])
    .execute();

/** Lists the next organizations of a person in the order of their ids, a bounded number. */
export const listPersonOrganizations = async (identity: Database, userId: string, after: string): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select m.organization_id as id from members m join organizations o on o.id = m.organization_id
     where m.user_id = ${userId} and m.organization_id > ${after} and coalesce(o.deletes_at > now(), true)
     order by m.organization_id limit ${LIMITS.memberships.shownMax}`.execute(identity);
  return rows.map(({ id }) => id);
};
