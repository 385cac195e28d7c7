import type { Explanation } from '@svc/contract/decisions.ts';
import type { PolicyScope } from '@svc/contract/vocabulary.ts';
import type { RecordedAction } from '@svc/enforcement/replay/recorded-action.ts';
import { unfoldExplanation } from '@svc/enforcement/unfold-explanation.ts';
import { type RawBuilder, sql } from 'kysely';
import type { TenantTransaction } from './in-tenant.ts';

/** Rows in one answer; each may hold parameters and an explanation of some hundred kilobytes. */
const PAGE_ROWS_MAX = 100;
/** Rows of the record that are looked through for a page, so that a policy bound to a quiet corner does not read everything at once. */
const WINDOW_ROWS_MAX = 10_000;

type Target = { readonly scope: PolicyScope; readonly target_id: string };

/** Identifiers are in the order of time; `since` is the first that could be of the period. */
export type ReplayCursor = { readonly since: string; readonly before: string | null };

export type ReplayPage = { readonly actions: readonly RecordedAction[]; readonly next: ReplayCursor | null };

const concerns = ({ scope, target_id }: Target): RawBuilder<boolean> => {
  if (scope === 'ORGANIZATION') return sql`true`;
  if (scope === 'WORKSPACE') return sql`workspace_id = ${target_id}`;
  if (scope === 'ENVIRONMENT') return sql`environment_id = ${target_id}`;
  return sql`agent_id = ${target_id}`;
};

type Found = { readonly ids: readonly string[]; readonly end: string | null; readonly size: number };

const findPage = async (
  tx: TenantTransaction,
  organizationId: string,
  bindings: readonly Target[],
  cursor: ReplayCursor,
  rowsMax: number,
) => {
  const { rows } = await sql<Found>`
    with looked as materialized (
      select id, workspace_id, environment_id, agent_id from actions
       where organization_id = ${organizationId} and id >= ${cursor.since} and (${cursor.before}::text is null or id < ${cursor.before})
       order by id desc limit ${WINDOW_ROWS_MAX}
    ), found as (
      select id from looked where ${sql.join(bindings.map(concerns), sql` or `)} order by id desc limit ${rowsMax}
    )
    select array(select id from found order by id desc) as ids, (select min(id) from looked) as end,
           (select count(*) from looked)::integer as size`.execute(tx);
  return rows[0] ?? { ids: [], end: null, size: 0 };
};

/** The next actions that a policy bound so would have judged, newest first. `next` is null when there are no older ones in the period. */
export const readReplayPage = async (
  tx: TenantTransaction,
  organizationId: string,
  bindings: readonly Target[],
  cursor: ReplayCursor,
  rowsMax: number,
): Promise<ReplayPage> => {
  const most = Math.min(rowsMax, PAGE_ROWS_MAX);
  const { ids, end, size } = await findPage(tx, organizationId, bindings, cursor, most);
  const last = ids.at(-1);
  const isFull = ids.length === most && last !== undefined;
  const before = isFull ? last : size === WINDOW_ROWS_MAX ? end : null;
  const next = before === null ? null : { since: cursor.since, before };
  if (ids.length === 0) return { actions: [], next };
  const actions = await tx
    .selectFrom('actions')
    .select(['id', 'created_at', 'agent_id', 'agent_name', 'environment_id', 'workspace_id', 'tool', 'tool_id'])
    .select(['principal_type', 'principal_id', 'mode', 'decision', 'amount', 'currency', 'destination', 'parameters', 'explanation'])
    .where('organization_id', '=', organizationId)
    .where('id', 'in', [...ids])
    .orderBy('id', 'desc')
    .execute();
  return { actions: actions.map((action) => ({ ...action, explanation: unfoldExplanation(action.explanation as Explanation) })), next };
};
