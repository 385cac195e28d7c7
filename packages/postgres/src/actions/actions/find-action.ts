import type { Action } from '@svc/contract/actions/actions.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { unfoldOne } from './kept-explanations.ts';
import { findUsedApproval } from './used-approval.ts';

/** One action with its full lineage as the wire shows it; of one agent only, when one is named. */
export const findAction = async (
  tx: TenantTransaction,
  organizationId: string,
  actionId: string,
  agentId?: string,
): Promise<Action | undefined> => {
  const row = await tx
    .selectFrom('actions')
    .select([
      'id',
      'agent_id',
      'agent_name',
      'workspace_id',
      'environment_id',
      'tool_id',
      'tool',
      'decision',
      'status',
      'mode',
      'code',
      'reason',
    ])
    .select(['amount', 'currency', 'destination', 'approval_id', 'request_id', 'trace_id', 'created_at', 'completed_at'])
    .select(['principal_type', 'principal_id', 'parameters', 'explanation', 'execution', 'idempotency_key'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', actionId)
    .$if(agentId !== undefined, (query) => query.where('agent_id', '=', agentId ?? ''))
    .executeTakeFirst();
  if (!row) return undefined;
  const { principal_type, principal_id, explanation, ...rest } = row;
  return {
    ...rest,
    explanation: await unfoldOne(tx, organizationId, explanation),
    approval: row.approval_id === null ? null : await findUsedApproval(tx, organizationId, row.id),
    principal: { type: principal_type, id: principal_id },
  } as Action;
};
