import type { Action, ActionSearch, ActionSummary } from '@svc/contract/actions/actions.ts';
import { sanitizeReason } from '@svc/domain/actions/sanitize-reason.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { madeBetween } from '../../lists/made-between.ts';
import { type FoundPage, scanInSlices } from '../../lists/scan-in-slices.ts';
import { scanSegment } from '../../lists/scan-segment.ts';
import { explanationFilters } from './explanation-filters.ts';
import { unfoldOne } from './kept-explanations.ts';
import { findResumedAction, findUsedApproval } from './used-approval.ts';

export type ActionFilter = Omit<ActionSearch, 'cursor' | 'limit'>;

const SUMMARY = [
  ...['id', 'agent_id', 'agent_name', 'workspace_id', 'environment_id', 'tool_id', 'tool', 'decision', 'status', 'mode', 'code', 'reason'],
  ...['amount', 'currency', 'destination', 'approval_id', 'request_id', 'trace_id', 'created_at', 'completed_at'],
];

const EQUAL = ['status', 'decision', 'code', 'environment_id', 'mode', 'approval_id', 'reason'] as const;

/** Newest first, one row more than the page holds; see `scanInSlices` for its bounds. */
export const searchActions = async (
  tx: TenantTransaction,
  organizationId: string,
  filter: ActionFilter,
  page: { readonly after: string | undefined; readonly limit: number },
): Promise<FoundPage<ActionSummary>> => {
  const { agent_id, tool, from, to, amount_min, amount_max } = filter;
  const explained = explanationFilters(filter);
  const resumed = filter.request_id === undefined ? undefined : await findResumedAction(tx, organizationId, filter.request_id);
  const search = {
    organizationId,
    table: 'actions',
    columns: SUMMARY,
    filterColumns: explained.length === 0 ? [] : ['explanation'],
    // The approval of a continued action was created before the request that used it.
    between: resumed === undefined ? madeBetween('act', filter) : { first: resumed, last: resumed },
    indexed: agent_id === undefined ? [] : [sql<boolean>`agent_id = ${agent_id}`],
    filters: [
      ...EQUAL.flatMap((name) => (filter[name] === undefined ? [] : [sql<boolean>`${sql.ref(name)} = ${filter[name]}`])),
      ...(filter.request_id === undefined || resumed !== undefined ? [] : [sql<boolean>`request_id = ${filter.request_id}`]),
      ...(tool === undefined ? [] : [sql<boolean>`(tool = ${tool} or tool_id = ${tool})`]),
      ...(from === undefined ? [] : [sql<boolean>`created_at >= ${from}`]),
      ...(to === undefined ? [] : [sql<boolean>`created_at < ${to}`]),
      ...(amount_min === undefined ? [] : [sql<boolean>`amount >= ${amount_min}`]),
      ...(amount_max === undefined ? [] : [sql<boolean>`amount <= ${amount_max}`]),
      ...explained,
    ],
  } as const;
  const found = await scanInSlices(page, (slice) => scanSegment<ActionSummary>(tx, search, slice));
  return { ...found, rows: found.rows.map((row) => ({ ...row, reason: sanitizeReason(row) })) };
};

/** Returns one action with its full lineage in API form; of one agent only, if one is named. */
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
    reason: sanitizeReason(row),
    explanation: await unfoldOne(tx, organizationId, explanation),
    approval: row.approval_id === null ? null : await findUsedApproval(tx, organizationId, row.id),
    principal: { type: principal_type, id: principal_id },
  } as Action;
};
