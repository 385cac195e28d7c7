import type { PolicyScope } from '@svc/contract/tables/vocabulary.ts';
import type { RecordedAction } from '@svc/enforcement/replay/recorded-action.ts';
import { type RawBuilder, sql } from 'kysely';
import { unfoldKept } from '../../actions/actions/kept-explanations.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

/** Rows in one answer; each may hold parameters and an explanation of some hundred kilobytes. */
const PAGE_ROWS_MAX = 100;
/** Maximum size of a page; each running replay holds one in memory. */
const PAGE_BYTES_MAX = 4_194_304;
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

type Looked = RawBuilder<{ id: string; workspace_id: string; environment_id: string; agent_id: string }>;

/** A stretch of the record; read no further than a page needs of it. */
const stretch = (organizationId: string, { since, before }: ReplayCursor): Looked => sql`
  select id, workspace_id, environment_id, agent_id from actions
   where organization_id = ${organizationId} and id >= ${since} and (${before}::text is null or id < ${before})
   order by id desc limit ${WINDOW_ROWS_MAX}`;

/** Returns where the record continues after a range without further matches; null at its end. */
const endOf = async (tx: TenantTransaction, looked: Looked): Promise<string | null> => {
  const { rows } = await sql<{ last: string | null; size: number }>`
    select min(id) as last, count(*)::integer as size from (${looked}) looked`.execute(tx);
  return rows[0]?.size === WINDOW_ROWS_MAX ? rows[0].last : null;
};

/** Estimates the memory of a value; only a compressed one has to be read for it. */
const getBytes = (column: 'parameters' | 'explanation'): RawBuilder<number> => {
  const value = sql.ref(`a.${column}`);
  return sql`case when pg_column_compression(${value}) is null then pg_column_size(${value}) else octet_length(${value}::text) end`;
};

/** Returns as many of the first of these as fit into a page, and at least one. */
const thatFit = async (tx: TenantTransaction, organizationId: string, ids: readonly string[]): Promise<readonly string[]> => {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    select id from (
      select id, n, sum(size) over (order by n) as size_so_far from (
        select a.id, l.n, ${getBytes('parameters')} + ${getBytes('explanation')} as size
          from unnest(${[...ids]}::text[]) with ordinality as l (id, n)
          join actions a on a.organization_id = ${organizationId} and a.id = l.id) as sized) as summed
     where n = 1 or size_so_far <= ${PAGE_BYTES_MAX} order by n`.execute(tx);
  return rows.map(({ id }) => id);
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
  const looked = stretch(organizationId, cursor);
  const { rows } = await sql<{ id: string }>`
    select id from (${looked}) looked where ${sql.join(bindings.map(concerns), sql` or `)} order by id desc limit ${most}`.execute(tx);
  const ids = await thatFit(
    tx,
    organizationId,
    rows.map(({ id }) => id),
  );
  const goesOn = rows.length === most || ids.length < rows.length;
  const before = goesOn ? (ids.at(-1) ?? null) : await endOf(tx, looked);
  const next = before === null ? null : { since: cursor.since, before };
  if (ids.length === 0) return { actions: [], next };
  const actions = await tx
    .selectFrom('actions')
    .select(['id', 'created_at', 'agent_id', 'agent_name', 'environment_id', 'workspace_id', 'tool', 'tool_id'])
    .select(['principal_type', 'principal_id', 'mode', 'decision', 'amount', 'currency', 'destination', 'parameters', 'explanation'])
    .where('organization_id', '=', organizationId)
    .where('id', 'in', ids)
    .orderBy('id', 'desc')
    .execute();
  const told = await unfoldKept(
    tx,
    organizationId,
    actions.map(({ explanation }) => explanation),
  );
  return { actions: actions.map((action, index) => ({ ...action, explanation: told[index] })), next };
};
