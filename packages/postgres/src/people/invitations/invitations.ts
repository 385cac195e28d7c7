import type { Invitation } from '@svc/contract/people/invitations.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { PrincipalType } from '@svc/contract/tables/vocabulary.ts';
import { type RawBuilder, sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

/** An invitation in API form, with the roles it may be confirmed by. */
export type StoredInvitation = Invitation;

const select = (organizationId: string, now: Date, which: RawBuilder<unknown>): RawBuilder<StoredInvitation> => sql<StoredInvitation>`
  select i.id, i.email, json_build_object('id', i.role_id, 'name', coalesce(r.name, i.role_id)) as role, i.workspace_ids,
         coalesce(i.ended_as, case when i.expires_at <= ${now} then 'EXPIRED' when i.awaits_confirmation then 'AWAITING_CONFIRMATION'
           else 'PENDING' end) as status,
         json_build_object('type', i.invited_by_type, 'id', i.invited_by, 'name', coalesce(u.name, k.name)) as invited_by,
         i.sent_count as mails, i.created_at, i.sent_at, i.expires_at
    from invitations i
    left join roles r on r.id = i.role_id and (r.organization_id is null or r.organization_id = i.organization_id)
    left join users u on u.id = i.invited_by
    left join api_keys k on k.organization_id = i.organization_id and k.id = i.invited_by
   where i.organization_id = ${organizationId} and ${which}`;

export const listInvitations = async (tx: TenantTransaction, organizationId: string, now: Date): Promise<StoredInvitation[]> =>
  (await select(organizationId, now, sql`i.ended_at is null order by i.id desc limit ${LIMITS.invitations.pendingMax}`).execute(tx)).rows;

export const findInvitation = async (
  tx: TenantTransaction,
  organizationId: string,
  id: string,
  now: Date,
): Promise<StoredInvitation | undefined> => (await select(organizationId, now, sql`i.id = ${id}`).execute(tx)).rows[0];

export type NewInvitation = {
  readonly id: string;
  readonly email: string;
  readonly role_id: string;
  readonly workspace_ids: string[] | null;
  readonly code_hash: Buffer;
  readonly invited_by: string;
  readonly invited_by_type: PrincipalType;
  readonly expires_at: Date;
  /** True for one that is not sent until a person confirms it. */
  readonly awaits_confirmation: boolean;
  readonly now: Date;
};

export const insertInvitation = async (tx: TenantTransaction, organizationId: string, { now, ...row }: NewInvitation): Promise<void> => {
  await tx
    .insertInto('invitations')
    .values({ ...row, organization_id: organizationId, created_at: now, sent_at: now, sent_count: row.awaits_confirmation ? 0 : 1 })
    .execute();
};

/** Gives an invitation that is sent, again or after it was confirmed, a new code and the person or key it is sent by. */
export const renewInvitation = async (
  tx: TenantTransaction,
  organizationId: string,
  { id, now, ...renewed }: Pick<NewInvitation, 'id' | 'code_hash' | 'invited_by' | 'invited_by_type' | 'expires_at' | 'now'>,
): Promise<void> => {
  await tx
    .updateTable('invitations')
    .set((eb) => ({ ...renewed, awaits_confirmation: false, sent_at: now, sent_count: eb('sent_count', '+', 1) }))
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
};

/** Returns true if this call ended it. */
export const withdrawInvitation = async (tx: TenantTransaction, organizationId: string, id: string, now: Date): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('invitations')
    .set({ ended_at: now, ended_as: 'WITHDRAWN' })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** Closes the expired invitation of an address, so that a new one is possible. */
export const closeExpired = async (tx: TenantTransaction, organizationId: string, email: string, now: Date): Promise<void> => {
  await tx
    .updateTable('invitations')
    .set({ ended_at: now, ended_as: 'WITHDRAWN' })
    .where('organization_id', '=', organizationId)
    .where('email', '=', email)
    .where('ended_at', 'is', null)
    .where('expires_at', '<=', now.toISOString())
    .execute();
};

/**
 * Counts recent invitations and their mails, for the bounds. One that awaits confirmation counts as one mail: others are mailed about it.
 */
export const countSent = async (
  tx: TenantTransaction,
  organizationId: string,
  email: string,
  now: Date,
): Promise<{ readonly pending: number; readonly mails: number; readonly to_address: number }> => {
  const { rows } = await sql<{ pending: number; mails: number; to_address: number }>`
    select (select count(*) from invitations where organization_id = ${organizationId} and ended_at is null and expires_at > ${now})::int as pending,
           coalesce(sum(greatest(sent_count, 1)), 0)::int as mails,
           coalesce(sum(greatest(sent_count, 1)) filter (where email = ${email}), 0)::int as to_address
      from invitations where organization_id = ${organizationId} and sent_at > ${now}::timestamptz - interval '1 day'`.execute(tx);
  return rows[0] ?? { pending: 0, mails: 0, to_address: 0 };
};

export type TakenInvitation = {
  readonly email: string;
  readonly role_id: string;
  readonly workspace_ids: string[] | null;
  readonly invited_by: string;
  readonly invited_by_type: PrincipalType;
};

/** Takes an invitation up, which works once: of many that try one gets it. */
export const takeInvitation = (
  tx: TenantTransaction,
  organizationId: string,
  { id, codeHash, now }: { readonly id: string; readonly codeHash: Buffer; readonly now: Date },
): Promise<TakenInvitation | undefined> =>
  tx
    .updateTable('invitations')
    .set({ ended_at: now, ended_as: 'ACCEPTED' })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('code_hash', '=', codeHash)
    .where('awaits_confirmation', '=', false)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now.toISOString())
    .returning(['email', 'role_id', 'workspace_ids', 'invited_by', 'invited_by_type'])
    .executeTakeFirst();
