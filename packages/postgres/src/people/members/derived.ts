import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

/** Ends every session of a person in the organization. Answers how many there were. */
export const endMemberSessionsAndTerminals = async (
  tx: TenantTransaction,
  organizationId: string,
  userId: string,
  now: Date,
): Promise<number> => {
  const { numUpdatedRows } = await tx
    .updateTable('sessions')
    .set({ revoked_at: now })
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirst();
  return Number(numUpdatedRows);
};

export type EndedKey = { readonly id: string; readonly workspace_ids: string[] | null };

/** Revokes the keys a person created, and those created with them. In order of creation. */
export const revokeCreatorKeys = async (tx: TenantTransaction, organizationId: string, userId: string, now: Date): Promise<EndedKey[]> => {
  const { rows } = await sql<EndedKey>`
    with recursive made as (
      select id from api_keys where organization_id = ${organizationId} and created_by = ${userId}
       union
      select k.id from made m join api_keys k on k.organization_id = ${organizationId} and k.created_by = m.id
    ), ended as (
      update api_keys k set revoked_at = ${now} from made m
       where k.organization_id = ${organizationId} and k.id = m.id and k.revoked_at is null and k.expires_at > ${now}
      returning k.id, k.workspace_ids)
    select id, workspace_ids from ended order by id`.execute(tx);
  return rows;
};

/** Withdraws the open invitations that a person sent, directly or through API keys. */
export const withdrawSenderInvitations = async (
  tx: TenantTransaction,
  organizationId: string,
  userId: string,
  now: Date,
): Promise<number> => {
  const { numAffectedRows } = await sql`
    with recursive made as (
      select ${userId}::text as id
       union
      select k.id from made m join api_keys k on k.organization_id = ${organizationId} and k.created_by = m.id)
    update invitations i set ended_at = ${now}, ended_as = 'WITHDRAWN' from made m
     where i.organization_id = ${organizationId} and i.invited_by = m.id and i.ended_at is null`.execute(tx);
  return Number(numAffectedRows ?? 0);
};
