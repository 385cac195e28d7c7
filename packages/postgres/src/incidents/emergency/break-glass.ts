import type { BreakGlassMode, BreakGlassReport } from '@svc/contract/incidents/emergency/break-glass.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import type { Tables } from '../../connection/tables.ts';
import { countUpTo, type Listed, type ListedPart, listed } from '../../lists/listed.ts';
import { madeBetween } from '../../lists/made-between.ts';

export type GrantRow = Selectable<Tables['break_glass_grants']>;

const select = (tx: TenantTransaction, organizationId: string) =>
  tx.selectFrom('break_glass_grants').selectAll().where('organization_id', '=', organizationId);

/** Serializes grants and requests in one organization, so that the limit holds. */
export const takeGrantTurn = async (tx: TenantTransaction, organizationId: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended('svc break glass ' || ${organizationId}, 0))`.execute(tx);
};

export const listGrants = (tx: TenantTransaction, organizationId: string, part: ListedPart): Promise<Listed<GrantRow>> => {
  const found = select(tx, organizationId);
  return listed(
    part,
    ({ limit, offset }) => found.orderBy('requested_at', 'desc').orderBy('id', 'desc').limit(limit).offset(offset).execute(),
    (max) => countUpTo(tx, found, max),
  );
};

export const findGrant = (tx: TenantTransaction, organizationId: string, id: string): Promise<GrantRow | undefined> =>
  select(tx, organizationId).where('id', '=', id).executeTakeFirst();

export const lockGrant = (tx: TenantTransaction, organizationId: string, id: string): Promise<GrantRow | undefined> =>
  select(tx, organizationId).where('id', '=', id).forUpdate().executeTakeFirst();

/** Locks open grants and requests of an organization. Call `takeGrantTurn` first. */
export const lockOpenGrants = (tx: TenantTransaction, organizationId: string): Promise<GrantRow[]> =>
  select(tx, organizationId).where('status', 'in', ['PENDING', 'ACTIVE']).orderBy('id').limit(100).forUpdate().execute();

/** Returns a grant that its holder took alone and no other person reviewed. */
export const findUnreviewedGrant = (tx: TenantTransaction, organizationId: string, userId: string): Promise<GrantRow | undefined> =>
  select(tx, organizationId)
    .where('user_id', '=', userId)
    .where('mode', '=', 'SELF_WITH_NOTICE')
    .where('reviewed_by', 'is', null)
    .limit(1)
    .executeTakeFirst();

export const insertGrant = (tx: TenantTransaction, row: Insertable<Tables['break_glass_grants']>): Promise<GrantRow> =>
  tx.insertInto('break_glass_grants').values(row).returningAll().executeTakeFirstOrThrow();

export const updateGrant = (
  tx: TenantTransaction,
  { organization_id, id }: GrantRow,
  row: Updateable<Tables['break_glass_grants']>,
): Promise<GrantRow> =>
  tx
    .updateTable('break_glass_grants')
    .set(row)
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();

export const findBreakGlassSettings = (tx: TenantTransaction, organizationId: string) =>
  tx
    .selectFrom('break_glass_settings')
    .select(['mode', 'updated_at', 'updated_by'])
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();

export const putBreakGlassSettings = async (
  tx: TenantTransaction,
  row: { readonly organization_id: string; readonly mode: BreakGlassMode; readonly updated_by: string; readonly updated_at: Date },
): Promise<void> => {
  const { mode, updated_by, updated_at } = row;
  await tx
    .insertInto('break_glass_settings')
    .values(row)
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet({ mode, updated_by, updated_at }))
    .execute();
};

/** Organizations with grants whose time is up and which no event has stated as ended. */
export const findOrganizationsWithEndedGrants = async (identity: Database, now: Date): Promise<string[]> => {
  const { rows } = await sql<{ organization_id: string }>`
    select distinct organization_id from break_glass_grants where status = 'ACTIVE' and expires_at <= ${now}`.execute(identity);
  return rows.map(({ organization_id }) => organization_id);
};

/** Events of changes under a grant, one more than a report lists. */
export const readGrantEvents = async (
  tx: TenantTransaction,
  { organization_id, id, user_id, decided_at, expires_at }: GrantRow,
): Promise<BreakGlassReport['events']> => {
  if (decided_at === null || expires_at === null) return [];
  const { first, last } = madeBetween('evt', { from: decided_at, to: expires_at });
  const { rows } = await sql<BreakGlassReport['events'][number]>`
    select id, type, occurred_at, subject_type, subject_id from audit_events
     where organization_id = ${organization_id} and id >= ${first} and id <= ${last} and actor_id = ${user_id} and data ->> 'break_glass' = ${id}
     order by id limit ${LIMITS.breakGlass.reportedMax + 1}`.execute(tx);
  return rows;
};
