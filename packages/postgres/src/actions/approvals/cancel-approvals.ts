import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { keepConsumed } from './in-flight.ts';
import { listReportedVotes, type ReportedVote } from './reported-votes.ts';

export type CancelledApproval = {
  readonly id: string;
  readonly action_id: string;
  readonly agent_id: string;
  readonly workspace_id: string;
  readonly environment_id: string;
  readonly was: 'PENDING' | 'APPROVED';
  readonly votes: readonly ReportedVote[];
};

/** Selects approvals: of agents, of all agents in a scope, or for a tool of an environment. */
export type ApprovalSelection = {
  readonly column: 'agent_id' | 'environment_id' | 'workspace_id';
  readonly id: string | readonly string[];
  readonly toolId?: string;
};

const forTool = (organizationId: string, toolId: string | undefined, approval: string) =>
  toolId === undefined
    ? sql<boolean>`true`
    : sql<boolean>`exists (select from actions t where t.organization_id = ${organizationId} and t.id = ${sql.ref(`${approval}.action_id`)} and t.tool_id = ${toolId})`;

/**
 * Withdraws open approvals of agents or a scope and ends each held action, with `code`. At most `limit` at once, so that an agent with very
 * many requests cannot delay its own suspension.
 */
export const cancelApprovals = async (
  tx: TenantTransaction,
  organizationId: string,
  of: ApprovalSelection,
  as: { readonly code: string; readonly now: Date; readonly limit: number },
): Promise<CancelledApproval[]> => {
  const ids = [of.id].flat();
  const isOf = sql<boolean>`${sql.ref(`p.${of.column}`)} = any (${ids}::text[])`;
  await keepConsumed(tx, organizationId, sql<boolean>`${isOf} and ${forTool(organizationId, of.toolId, 'p')}`);
  const { rows } = await sql<CancelledApproval>`
    with open as (
      select id, status from approvals
       where organization_id = ${organizationId} and ${sql.ref(of.column)} = any (${ids}::text[]) and status in ('PENDING', 'APPROVED')
         and ${forTool(organizationId, of.toolId, 'approvals')}
       order by id limit ${as.limit} for update
    ), cancelled as (
      update approvals p set status = 'CANCELLED', decided_at = coalesce(p.decided_at, ${as.now}), open_question = null from open o
       where p.organization_id = ${organizationId} and p.id = o.id
      returning p.id, p.action_id, p.agent_id, p.workspace_id, p.environment_id, o.status as was, ${listReportedVotes(organizationId)} as votes
    ), ended as (
      update actions a set status = 'CANCELLED', code = ${as.code}, completed_at = ${as.now} from cancelled c
       where a.organization_id = ${organizationId} and a.id = c.action_id and a.status in ('PENDING_APPROVAL', 'APPROVED')
    )
    select * from cancelled`.execute(tx);
  return rows;
};
