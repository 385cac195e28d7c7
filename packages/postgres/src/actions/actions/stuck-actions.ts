import type { Execution } from '@svc/contract/actions/decisions.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

/** Default for an action without a lease, as recorded by earlier gateways: with any settings, their calls take less than this. */
const UNTOLD_LEASE = sql.lit('150 seconds');

/** In execution and past its lease, by the clock of the database. */
const isLeftBehind: RawBuilder<boolean> = sql`status = 'EXECUTING'
  and (held_until <= now() or (held_until is null and created_at <= now() - ${UNTOLD_LEASE}::interval))`;

/**
 * Finds organizations with an action whose lease has expired. The index is walked entry by entry, never as a whole: entries closed since
 * are
 * then marked there on the way, and skipped by the next reader.
 */
export const findOrganizationsWithStuckActions = async (identity: Database): Promise<string[]> => {
  const { rows } = await identity.transaction().execute(async (tx) => {
    await sql`select set_config('enable_bitmapscan', 'off', true)`.execute(tx);
    return sql<{ organization_id: string }>`
      select organization_id from actions where status = 'EXECUTING' and held_until <= now()
      union
      select organization_id from actions where status = 'EXECUTING' and held_until is null and created_at <= now() - ${UNTOLD_LEASE}::interval`.execute(
      tx,
    );
  });
  return rows.map((row) => row.organization_id);
};

export type ClosedAction = {
  readonly id: string;
  readonly agent_id: string;
  readonly tool: string;
  readonly workspace_id: string;
  readonly environment_id: string;
  /** The current status. */
  readonly status: string;
  /** The approval that it used; null if it needed none. */
  readonly approval_id: string | null;
};

/** The returned columns of a closed action `a`. */
export const closedColumns = sql`a.id, a.agent_id, a.tool, a.workspace_id, a.environment_id, a.status,
  (select p.id from approvals p where p.organization_id = a.organization_id and p.id = a.approval_id and p.status = 'CONSUMED'
    and coalesce(p.used_by_action_id, p.action_id) = a.id) as approval_id`;

/** Closes actions whose lease has expired; nothing is executed again. An action whose outcome is being recorded is skipped. */
export const closeStuckActions = async (
  tx: TenantTransaction,
  organizationId: string,
  as: { readonly execution: Execution; readonly code: string; readonly limit: number },
): Promise<ClosedAction[]> => {
  const { rows } = await sql<ClosedAction>`
    with stuck as (
      select id from actions a where organization_id = ${organizationId} and ${isLeftBehind}
         and (held_until is not null or not exists (select from approvals p where p.organization_id = a.organization_id
           and p.action_id = a.id and p.consumed_at > now() - ${UNTOLD_LEASE}::interval))
       order by created_at limit ${as.limit} for update skip locked
    )
    update actions a set status = 'UNKNOWN', code = ${as.code}, execution = ${JSON.stringify(as.execution)}::json, completed_at = now()
      from stuck s where a.organization_id = ${organizationId} and a.id = s.id
    returning ${closedColumns}`.execute(tx);
  return rows;
};
