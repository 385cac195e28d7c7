import type { ActionSearch, ActionSummary } from '@svc/contract/actions.ts';
import type { TenantTransaction } from './in-tenant.ts';

export type ActionFilter = Omit<ActionSearch, 'cursor' | 'limit'>;

/** Newest first, one row more than the page holds. */
export const searchActions = async (
  tx: TenantTransaction,
  organizationId: string,
  filter: ActionFilter,
  page: { readonly after: string | undefined; readonly limit: number },
): Promise<ActionSummary[]> => {
  let query = tx
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
    .where('organization_id', '=', organizationId);
  const { tool } = filter;
  if (page.after !== undefined) query = query.where('id', '<', page.after);
  if (filter.agent_id !== undefined) query = query.where('agent_id', '=', filter.agent_id);
  if (tool !== undefined) query = query.where((eb) => eb.or([eb('tool', '=', tool), eb('tool_id', '=', tool)]));
  if (filter.status !== undefined) query = query.where('status', '=', filter.status);
  if (filter.decision !== undefined) query = query.where('decision', '=', filter.decision);
  if (filter.code !== undefined) query = query.where('code', '=', filter.code);
  if (filter.request_id !== undefined) query = query.where('request_id', '=', filter.request_id);
  if (filter.from !== undefined) query = query.where('created_at', '>=', filter.from);
  if (filter.to !== undefined) query = query.where('created_at', '<', filter.to);
  return await query
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .execute();
};
