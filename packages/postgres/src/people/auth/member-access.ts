import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { memberRights, readMemberRole } from './member-rights.ts';

export type MemberAccess = {
  readonly id: string;
  readonly user_id: string;
  readonly email: string;
  readonly name: string;
  readonly permissions: readonly string[];
  /** Null for the whole organization. */
  readonly workspace_ids: readonly string[] | null;
};

/** A member with what they may do now; locked, so that it stays so while it is judged. */
export const lockMember = async (tx: TenantTransaction, organizationId: string, id: string): Promise<MemberAccess | undefined> => {
  const { rows } = await sql<MemberAccess>`
    select m.id, u.id as user_id, u.email, u.name, ${memberRights}
      from members m
      join users u on u.id = m.user_id
      ${readMemberRole('m')}
     where m.organization_id = ${organizationId} and m.id = ${id}
       for update of m`.execute(tx);
  return rows[0];
};

/**
 * Ends every session of a member in this organization, and prevents switching into it from an earlier sign-in. With `withPassword`
 * an earlier password is not accepted either. The person's sessions in other organizations continue.
 */
export const endMemberSessions = async (
  tx: TenantTransaction,
  {
    organizationId,
    memberId,
    now,
    withPassword = false,
  }: { readonly organizationId: string; readonly memberId: string; readonly now: Date; readonly withPassword?: boolean },
): Promise<void> => {
  await sql`
    update members set session_epoch = session_epoch + 1, sign_ins_since = ${now},
           password_since = case when ${withPassword} then ${now}::timestamptz else password_since end
     where organization_id = ${organizationId} and id = ${memberId}`.execute(tx);
};
