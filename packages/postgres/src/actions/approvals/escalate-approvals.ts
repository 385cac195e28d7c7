import type { ApproverGroup } from '@svc/contract/actions/approval-shapes.ts';
import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

/** Finds organizations with an approval that is due for escalation. */
export const findOrganizationsToEscalate = async (identity: Database, now: Date): Promise<string[]> => {
  const { rows } = await sql<{ organization_id: string }>`
    select distinct organization_id from approvals
     where status = 'PENDING' and escalates_at is not null and escalates_at <= ${now} and expires_at > ${now}`.execute(identity);
  return rows.map((row) => row.organization_id);
};

export type EscalatedApproval = {
  readonly id: string;
  readonly action_id: string;
  readonly agent_id: string;
  readonly workspace_id: string;
  readonly environment_id: string;
  readonly quorum: number;
  readonly approver_roles: readonly string[];
  readonly approver_groups: readonly ApproverGroup[];
};

/**
 * Escalates each group whose time has come, once, to its other role: the event reports it. An approval that is being decided is skipped;
 * the rest is checked the next time.
 */
export const escalateApprovals = async (
  tx: TenantTransaction,
  organizationId: string,
  now: Date,
  limit: number,
): Promise<EscalatedApproval[]> => {
  const { rows } = await sql<EscalatedApproval>`
    with due as (
      select id from approvals
       where organization_id = ${organizationId} and status = 'PENDING' and escalates_at is not null and escalates_at <= ${now} and expires_at > ${now}
       order by escalates_at limit ${limit} for update skip locked
    )
    update approvals p set
      approver_groups = (select jsonb_agg(case when (g.value->>'escalates_at')::timestamptz <= ${now}
          then g.value || '{"escalated": true}' else g.value end order by g.n)
        from jsonb_array_elements(p.approver_groups) with ordinality as g (value, n)),
      escalates_at = (select min((g->>'escalates_at')::timestamptz) from jsonb_array_elements(p.approver_groups) g
        where (g->>'escalates_at')::timestamptz > ${now})
     from due where p.organization_id = ${organizationId} and p.id = due.id and p.status = 'PENDING'
    returning p.id, p.action_id, p.agent_id, p.workspace_id, p.environment_id, p.quorum, p.approver_roles, p.approver_groups`.execute(tx);
  return rows;
};
