import { sql } from 'kysely';
import type { TenantTransaction } from './in-tenant.ts';

export type CancelledApproval = {
  readonly id: string;
  readonly action_id: string;
  readonly workspace_id: string;
  readonly environment_id: string;
};

/** Withdraws every open approval of an agent, and the action each one held. */
export const cancelApprovals = async (
  tx: TenantTransaction,
  organizationId: string,
  agentId: string,
  now: Date,
): Promise<CancelledApproval[]> => {
  const { rows } = await sql<CancelledApproval>`
    with cancelled as (
      update approvals set status = 'CANCELLED', decided_at = coalesce(decided_at, ${now})
       where organization_id = ${organizationId} and agent_id = ${agentId} and status in ('PENDING', 'APPROVED')
      returning id, action_id, workspace_id, environment_id), held as (
      update actions set status = 'CANCELLED', completed_at = ${now} from cancelled
       where actions.organization_id = ${organizationId} and actions.id = cancelled.action_id)
    select * from cancelled`.execute(tx);
  return rows;
};
