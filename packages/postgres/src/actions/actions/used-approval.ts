import type { Action } from '@svc/contract/actions/actions.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

export type UsedApproval = NonNullable<Action['approval']>;

/** Statuses of an action that an approval let run. */
const LET_RUN = sql`('ALLOWED', 'EXECUTING', 'COMPLETED', 'FAILED', 'UNKNOWN')`;

/**
 * Returns the approval that let an action run; null if there was none. The first use continues the held action, in a request of its own; a
 * restored approval is used by an action of its own, whose request is the use.
 */
export const findUsedApproval = async (tx: TenantTransaction, organizationId: string, actionId: string): Promise<UsedApproval | null> => {
  const { rows } = await sql<UsedApproval>`
    select p.id, p.consumed_at as used_at, p.consumed_request_id as request_id, p.consumed_trace_id as trace_id from approvals p
     where p.organization_id = ${organizationId} and p.action_id = ${actionId} and (p.status = 'CONSUMED' or p.restored_at is not null)
    union all
    select p.id, a.created_at, a.request_id, a.trace_id
      from actions a join approvals p on p.organization_id = a.organization_id and p.id = a.approval_id
     where a.organization_id = ${organizationId} and a.id = ${actionId} and p.action_id <> a.id and p.restored_at is not null
       and (p.used_by_action_id = a.id or (a.given_back_at is not null and a.status in ${LET_RUN}))`.execute(tx);
  return rows[0] ?? null;
};

/** Lists the approvers, in order: those whose votes completed the quorum, and for older approvals everyone who approved. */
export const readApprovers = (
  tx: TenantTransaction,
  organizationId: string,
  approvalId: string,
): Promise<NonNullable<UsedApproval['given_by']>> =>
  tx
    .selectFrom('approvals as p')
    .innerJoin('approval_votes as v', (join) =>
      join.onRef('v.organization_id', '=', 'p.organization_id').onRef('v.approval_id', '=', 'p.id').onRef('v.wording', '=', 'p.wording'),
    )
    .leftJoin('users as u', 'u.id', 'v.user_id')
    .where('p.organization_id', '=', organizationId)
    .where('p.id', '=', approvalId)
    .where('v.vote', '=', 'APPROVE')
    .where(sql<boolean>`v.user_id = any (coalesce(p.approved_by, array[v.user_id]))`)
    .select(['v.user_id', sql<string>`coalesce(u.name, v.user_id)`.as('user_name'), 'v.comment', 'v.voted_at'])
    .orderBy('v.voted_at')
    .orderBy('v.user_id')
    .execute();

/** The action that a request went on with by an approval; undefined when it did not. */
export const findResumedAction = async (tx: TenantTransaction, organizationId: string, requestId: string): Promise<string | undefined> =>
  (
    await tx
      .selectFrom('approvals')
      .select('action_id')
      .where('organization_id', '=', organizationId)
      .where('consumed_request_id', '=', requestId)
      .executeTakeFirst()
  )?.action_id;
