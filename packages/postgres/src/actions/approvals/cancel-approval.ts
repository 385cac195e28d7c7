import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import type { CancelledApproval } from './cancel-approvals.ts';

/** Gateways see no votes, so their withdrawals return none. */
export type WithdrawnApproval = Omit<CancelledApproval, 'votes'>;

/** Withdraws an unused approval, and ends the action it held. Undefined if it was used, or there is none. */
export const cancelApproval = async (
  tx: TenantTransaction,
  organizationId: string,
  approvalId: string,
  { now, agentId }: { readonly now: Date; readonly agentId?: string },
): Promise<WithdrawnApproval | undefined> => {
  const { rows } = await sql<WithdrawnApproval>`
    with open as (
      select id, status from approvals where organization_id = ${organizationId} and id = ${approvalId}
         and (${agentId ?? null}::text is null or agent_id = ${agentId ?? null}) and status in ('PENDING', 'APPROVED') and expires_at > ${now}
       for update
    ), cancelled as (
      update approvals p set status = 'CANCELLED', decided_at = coalesce(p.decided_at, ${now}), open_question = null from open o
       where p.organization_id = ${organizationId} and p.id = o.id
      returning p.id, p.action_id, p.agent_id, p.workspace_id, p.environment_id, o.status as was
    ), ended as (
      update actions a set status = 'CANCELLED', code = 'APPROVAL_NOT_GRANTED', completed_at = ${now} from cancelled c
       where a.organization_id = ${organizationId} and a.id = c.action_id and a.status in ('PENDING_APPROVAL', 'APPROVED')
    )
    select * from cancelled`.execute(tx);
  return rows[0];
};
