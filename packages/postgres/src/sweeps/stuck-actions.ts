import type { Execution } from '@svc/contract/decisions.ts';
import { sql } from 'kysely';
import type { Database } from '../connect.ts';
import type { TenantTransaction } from '../in-tenant.ts';

/** Organizations with an action that was in execution before `since` and may have been left behind. */
export const findOrganizationsWithStuckActions = async (identity: Database, since: Date): Promise<string[]> => {
  const { rows } = await sql<{ organization_id: string }>`
    select distinct organization_id from actions where status = 'EXECUTING' and created_at <= ${since}`.execute(identity);
  return rows.map((row) => row.organization_id);
};

export type ClosedAction = {
  readonly id: string;
  readonly agent_id: string;
  readonly tool: string;
  readonly workspace_id: string;
  readonly environment_id: string;
};

/**
 * Closes actions in execution since before `since`; nothing is executed again. An action that waited for a person is in execution
 * since its approval was used, however long before it was asked for.
 */
export const closeStuckActions = async (
  tx: TenantTransaction,
  organizationId: string,
  since: Date,
  as: { readonly execution: Execution; readonly code: string; readonly now: Date; readonly limit: number },
): Promise<ClosedAction[]> => {
  const { rows } = await sql<ClosedAction>`
    with stuck as (
      select a.id from actions a
        left join approvals p on p.organization_id = a.organization_id and p.action_id = a.id
       where a.organization_id = ${organizationId} and a.status = 'EXECUTING' and a.created_at <= ${since}
         and coalesce(p.consumed_at, a.created_at) <= ${since}
       order by a.created_at limit ${as.limit} for update of a skip locked
    )
    update actions a set status = 'UNKNOWN', code = ${as.code}, execution = ${JSON.stringify(as.execution)}::json, completed_at = ${as.now}
      from stuck s where a.organization_id = ${organizationId} and a.id = s.id
    returning a.id, a.agent_id, a.tool, a.workspace_id, a.environment_id`.execute(tx);
  return rows;
};
