import type { ApprovalStatus } from '@svc/contract/tables/vocabulary.ts';
import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { listReportedVotes, type ReportedVote } from './reported-votes.ts';

/** Finds organizations with an expired approval that is not yet marked as such. */
export const findOrganizationsWithOverdueApprovals = async (identity: Database, now: Date): Promise<string[]> => {
  const { rows } = await sql<{ organization_id: string }>`
    select distinct organization_id from approvals where status in ('PENDING', 'APPROVED') and expires_at <= ${now}`.execute(identity);
  return rows.map((row) => row.organization_id);
};

export type ExpiredApproval = {
  readonly id: string;
  readonly action_id: string;
  readonly agent_id: string;
  readonly workspace_id: string;
  readonly environment_id: string;
  readonly expires_at: string;
  /** The status until now. */
  readonly was: ApprovalStatus;
  readonly votes: readonly ReportedVote[];
};

/**
 * Expires overdue approvals, and ends the actions they held. A vote or a use that is being written is skipped:
 * it came first, and the rest is checked the next time.
 */
export const expireOverdueApprovals = async (
  tx: TenantTransaction,
  organizationId: string,
  now: Date,
  limit: number,
): Promise<ExpiredApproval[]> => {
  const { rows } = await sql<ExpiredApproval>`
    with overdue as (
      select id, status from approvals
       where organization_id = ${organizationId} and status in ('PENDING', 'APPROVED') and expires_at <= ${now}
       order by expires_at limit ${limit} for update skip locked
    ), expired as (
      update approvals p set status = 'EXPIRED', open_question = null from overdue o where p.organization_id = ${organizationId} and p.id = o.id
      returning p.id, p.action_id, p.agent_id, p.workspace_id, p.environment_id, p.expires_at, o.status as was,
        ${listReportedVotes(organizationId)} as votes
    ), ended as (
      update actions a set status = 'EXPIRED', code = 'APPROVAL_EXPIRED', completed_at = ${now} from expired e
       where a.organization_id = ${organizationId} and a.id = e.action_id and a.status in ('PENDING_APPROVAL', 'APPROVED')
    )
    select * from expired`.execute(tx);
  return rows;
};
