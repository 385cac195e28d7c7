import type { Proof } from '@svc/contract/tables/proofs.ts';
import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { memberRights, readMemberRole } from '../auth/member-rights.ts';
import { SESSION_ENDED_AT } from '../auth/session-end.ts';

export type NewCliDecision = {
  readonly organization_id: string;
  readonly request_id: string;
  readonly user_id: string;
  readonly session_id: string;
  readonly is_approved: boolean;
  readonly code_hash: Buffer | null;
  readonly decided_at: Date;
};

/** Returns true if this call decided; of concurrent ones, in any organizations, one does. */
export const insertCliDecision = async (tx: TenantTransaction, row: NewCliDecision): Promise<boolean> => {
  const result = await tx
    .insertInto('cli_decisions')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
};

/** Returns true if this call took the approved session; of concurrent ones one does. */
export const redeemCliDecision = async (
  tx: TenantTransaction,
  { organization_id, request_id }: { readonly organization_id: string; readonly request_id: string },
  sessionId: string,
  now: Date,
): Promise<boolean> => {
  const result = await tx
    .updateTable('cli_decisions')
    .set({ redeemed_at: now, issued_session_id: sessionId })
    .where('organization_id', '=', organization_id)
    .where('request_id', '=', request_id)
    .where('is_approved', '=', true)
    .where('redeemed_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
};

/** The approver, with current rights. */
export type CliApprover = {
  readonly user_id: string;
  readonly email: string;
  readonly name: string;
  readonly organization_id: string;
  readonly organization_name: string;
  readonly permissions: readonly string[];
  readonly workspace_ids: readonly string[] | null;
  /** End of the approving session. */
  readonly expires_at: string;
  /** The proofs of that session, and so of this one. */
  readonly amr: readonly Proof[];
  readonly vouched_amr: readonly Proof[];
  /** Epochs of the person and the membership when that session was opened: an epoch change ends the new one too. */
  readonly epoch: number;
  /** The original sign-in: that of the browser, even if a terminal approved another. */
  readonly sign_in_id: string;
};

export type CliDecisionRow = {
  /** The session of the decision. */
  readonly decided_in: string;
  readonly decided_by: string;
  /** The session issued to the terminal; null until it is redeemed. */
  readonly issued_session_id: string | null;
  readonly is_approved: boolean;
  readonly code_hash: Buffer | null;
  readonly redeemed_at: string | null;
  /** Null if the approving session has ended, or its person is no longer a member. */
  readonly approver: CliApprover | null;
};

/** Returns the decision on a request and its author; undefined if there is none. */
export const findCliDecision = async (identity: Database, requestId: string, now: Date): Promise<CliDecisionRow | undefined> => {
  const { rows } = await sql<Omit<CliDecisionRow, 'approver'> & Partial<CliApprover>>`
    select d.organization_id as decided_in, d.user_id as decided_by, d.issued_session_id, d.is_approved, d.code_hash, d.redeemed_at, a.*
      from cli_decisions d
      left join lateral (
        select u.id as user_id, u.email, u.name, o.id as organization_id, o.name as organization_name, ${memberRights}, s.expires_at, s.amr, s.vouched_amr, s.epoch,
               coalesce(s.approved_by_sign_in_id, s.sign_in_id, s.id) as sign_in_id
          from sessions s
          join users u on u.id = s.user_id
          join members m on m.organization_id = s.organization_id and m.user_id = s.user_id
           and s.epoch = u.session_epoch + m.session_epoch and s.created_at >= m.created_at
          join organizations o on o.id = s.organization_id
          ${readMemberRole('m')}
         where s.organization_id = d.organization_id and s.id = d.session_id and s.expires_at > ${now}
           and ${SESSION_ENDED_AT} is null) a on true
     where d.request_id = ${requestId}`.execute(identity);
  const [row] = rows;
  if (row === undefined) return undefined;
  const { decided_in, decided_by, issued_session_id, is_approved, code_hash, redeemed_at, ...approver } = row;
  const decision = { decided_in, decided_by, issued_session_id, is_approved, code_hash, redeemed_at };
  return { ...decision, approver: approver.user_id ? (approver as CliApprover) : null };
};
