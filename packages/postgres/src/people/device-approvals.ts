import type { Proof } from '@svc/contract/tables/proofs.ts';
import { sql } from 'kysely';
import type { Database } from '../connection/connect.ts';
import type { TenantTransaction } from '../connection/in-tenant.ts';
import { presentEpoch } from './auth/present-epoch.ts';
import { SESSION_ENDED_AT } from './auth/session-end.ts';

export type DeviceApprovalRow = {
  readonly id: string;
  readonly number: number;
  readonly expires_at: string;
  readonly decided_at: string | null;
  readonly is_approved: boolean;
};

type NewRow = {
  readonly organization_id: string;
  readonly id: string;
  /** The challenge that requests approval, by its future session. */
  readonly session_id: string;
  readonly user_id: string;
  readonly number: number;
  readonly source_ip: string;
  readonly user_agent: string | null;
  readonly expires_at: Date;
  readonly now: Date;
};

/** Requests approval; undefined if the challenge already has. */
export const insertDeviceApproval = (tx: TenantTransaction, { now, ...row }: NewRow): Promise<DeviceApprovalRow | undefined> =>
  tx
    .insertInto('device_approvals')
    .values({ ...row, created_at: now })
    .onConflict((conflict) => conflict.constraint('device_approvals_are_once_per_challenge').doNothing())
    .returning(['id', 'number', 'expires_at', 'decided_at', 'is_approved'])
    .executeTakeFirst();

export const findDeviceApproval = (
  tx: TenantTransaction,
  organizationId: string,
  sessionId: string,
): Promise<DeviceApprovalRow | undefined> =>
  tx
    .selectFrom('device_approvals')
    .select(['id', 'number', 'expires_at', 'decided_at', 'is_approved'])
    .where('organization_id', '=', organizationId)
    .where('session_id', '=', sessionId)
    .executeTakeFirst();

type Approving = { readonly organization_id: string; readonly session_id: string; readonly user_id: string };

/** The session that approved, with its proofs and the sign-ins that it belongs to. */
export type ApprovingSession = {
  readonly rests_on: readonly string[];
  readonly amr: readonly Proof[];
  readonly vouched_amr: readonly Proof[];
};

/** Returns the session that approved a challenge, if it is still accepted. */
export const findApprovingSession = async (
  identity: Database,
  { organization_id, session_id, user_id }: Approving,
  id: string,
  now: Date,
): Promise<ApprovingSession | undefined> => {
  const { rows } = await sql<ApprovingSession>`
    select array_remove(array[coalesce(s.sign_in_id, s.id), s.approved_by_sign_in_id], null) as rests_on, s.amr, s.vouched_amr
      from device_approvals d
      join sessions s on s.organization_id = d.organization_id and s.id = d.decided_in and s.user_id = d.user_id
     where d.organization_id = ${organization_id} and d.session_id = ${session_id} and d.id = ${id} and d.is_approved
       and s.expires_at > ${now} and s.epoch = ${presentEpoch({ organization_id, user_id })} and ${SESSION_ENDED_AT} is null`.execute(
    identity,
  );
  return rows[0];
};

type Mine = { readonly organizationId: string; readonly userId: string; readonly now: Date };

/** Those of a person that wait, the newest first. */
export const listDeviceApprovals = (tx: TenantTransaction, { organizationId, userId, now }: Mine) =>
  tx
    .selectFrom('device_approvals')
    .select(['id', 'source_ip', 'user_agent', 'created_at', 'expires_at'])
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .where('decided_at', 'is', null)
    .where('expires_at', '>', now.toISOString())
    .orderBy('created_at', 'desc')
    .limit(20)
    .execute();

/** Returns true if a person ever got such a request. */
export const hasDeviceApproval = async (tx: TenantTransaction, { organizationId, userId }: Mine, id: string): Promise<boolean> => {
  const row = await tx
    .selectFrom('device_approvals')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row !== undefined;
};

/** Decides once: approved for the right number, and otherwise refused. Undefined if it was decided before or expired. */
export const decideDeviceApproval = async (
  tx: TenantTransaction,
  { organizationId, userId, now }: Mine,
  id: string,
  { sessionId, number }: { readonly sessionId: string; readonly number: number | null },
): Promise<{ readonly isApproved: boolean } | undefined> => {
  const { rows } = await sql<{ is_approved: boolean }>`
    update device_approvals set decided_at = ${now}, decided_in = ${sessionId}, is_approved = coalesce(number = ${number}::smallint, false)
     where organization_id = ${organizationId} and user_id = ${userId} and id = ${id} and decided_at is null and expires_at > ${now}
    returning is_approved`.execute(tx);
  const [decided] = rows;
  return decided && { isApproved: decided.is_approved };
};
