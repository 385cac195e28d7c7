import type { Execution } from '@svc/contract/actions/decisions.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import { type ClosedAction, closedColumns } from './stuck-actions.ts';

/** A moment, and the smallest identifier of an action that could have been created then. */
export type UnreportedBefore = { readonly time: Date; readonly actionId: string };

/** Finds organizations with unchecked actions from before. */
export const findOrganizationsWithUnreportedActions = async (identity: Database, before: UnreportedBefore): Promise<string[]> => {
  const { rows } = await sql<{ organization_id: string }>`
    select o.id as organization_id from organizations o left join unreported_marks m on m.organization_id = o.id
     where exists (select from actions a where a.organization_id = o.id and a.id > coalesce(m.action_id, '') and a.id < ${before.actionId})
        or exists (select from approvals p where p.organization_id = o.id and p.consumed_at > coalesce(m.consumed_at, '-infinity')
                      and p.consumed_at <= ${before.time})`.execute(identity);
  return rows.map((row) => row.organization_id);
};

export type Unreported = { readonly closed: readonly ClosedAction[]; readonly more: boolean };

type Portion = {
  readonly limit: number;
  readonly execution: Execution;
  readonly code: string;
};

/** The actions to check, each with the position to which the mark may move once it is settled. */
type Looked = { readonly mark: 'action_id' | 'consumed_at'; readonly rows: RawBuilder<unknown>; readonly before: UnreportedBefore };

/**
 * Closes the open ones among the checked actions, and moves the mark past them: so each is checked once and no index is needed. One that is
 * being reported is skipped, and the mark stays before it. An action continued after an approval has its time from then on, and
 * is checked once more by that time. An observed action stays one.
 */
const closeLooked = async (
  tx: TenantTransaction,
  organizationId: string,
  { mark, rows: looked, before }: Looked,
  { limit, execution, code }: Portion,
): Promise<Unreported> => {
  const isOpen = sql`a.completed_at is null and a.status in ('ALLOWED', 'OBSERVED') and a.execution ->> 'state' = 'BY_AGENT'`;
  const { rows } = await sql<{ looked: number; moved: boolean; closed: readonly ClosedAction[] }>`
    with looked as materialized (${looked}),
    unreported as materialized (
      select a.id, l.place from looked l join actions a on a.organization_id = ${organizationId} and a.id = l.id where ${isOpen}
         and not exists (select from approvals p
           where p.organization_id = ${organizationId} and p.id = a.approval_id and p.consumed_at > ${before.time})),
    held as materialized (
      select a.id from actions a where a.organization_id = ${organizationId} and a.id in (select id from unreported) and ${isOpen}
         for update skip locked),
    closed as (
      update actions a set status = case when a.status = 'OBSERVED' then a.status else 'UNKNOWN' end,
             code = case when a.status = 'OBSERVED' then a.code else ${code} end,
             execution = ${JSON.stringify(execution)}::json, completed_at = now()
        from held h where a.organization_id = ${organizationId} and a.id = h.id
      returning ${closedColumns}),
    skipped as (select min(place) as place from unreported where id not in (select id from held)),
    moved as (
      update unreported_marks m set ${sql.ref(mark)} = passed.place
        from (select max(l.place) as place from looked l, skipped s where s.place is null or l.place < s.place) as passed
       where m.organization_id = ${organizationId} and passed.place is not null
      returning 1)
    select (select count(*)::int from looked) as looked, exists (select from moved) as moved,
           coalesce((select json_agg(c) from closed c), '[]') as closed`.execute(tx);
  const [row] = rows;
  return { closed: row?.closed ?? [], more: row !== undefined && row.looked >= limit && row.moved };
};

/**
 * Closes a batch of actions that their agents execute themselves and did not report in time: in the order of creation, and,
 * for those that waited for a person, in the order in which their approvals were used.
 */
export const closeUnreportedActions = async (
  tx: TenantTransaction,
  organizationId: string,
  before: UnreportedBefore,
  portion: Portion,
): Promise<Unreported> => {
  await sql`insert into unreported_marks (organization_id) values (${organizationId}) on conflict do nothing`.execute(tx);
  const mark = (column: Looked['mark']) => sql`(select ${sql.ref(column)} from unreported_marks where organization_id = ${organizationId})`;
  const made = sql`select id, id as place from actions where organization_id = ${organizationId} and id > ${mark('action_id')}
       and id < ${before.actionId} order by id limit ${portion.limit}`;
  const used = sql`select action_id as id, consumed_at as place from approvals where organization_id = ${organizationId}
       and consumed_at > ${mark('consumed_at')} and consumed_at <= ${before.time} order by consumed_at fetch first ${portion.limit} rows with ties`;
  const first = await closeLooked(tx, organizationId, { mark: 'action_id', rows: made, before }, portion);
  const second = await closeLooked(tx, organizationId, { mark: 'consumed_at', rows: used, before }, portion);
  return { closed: [...first.closed, ...second.closed], more: first.more || second.more };
};
