import type { Action } from '@svc/contract/actions/actions.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

export type UsedApproval = NonNullable<Action['approval']>;

/** The approval that let an action go on, or null when none did. */
export const findUsedApproval = async (tx: TenantTransaction, organizationId: string, actionId: string): Promise<UsedApproval | null> => {
  const row = await tx
    .selectFrom('approvals')
    .select(['id', 'consumed_at', 'consumed_request_id', 'consumed_trace_id'])
    .where('organization_id', '=', organizationId)
    .where('action_id', '=', actionId)
    .where('status', '=', 'CONSUMED')
    .executeTakeFirst();
  if (!row) return null;
  return { id: row.id, used_at: row.consumed_at, request_id: row.consumed_request_id, trace_id: row.consumed_trace_id };
};

/** Who gave it, the first one first: those whose votes completed the quorum, and in one from before that was kept whoever approved. */
export const listGivers = (
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
