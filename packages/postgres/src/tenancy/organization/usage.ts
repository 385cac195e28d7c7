import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

/** A day in UTC, `2026-11-30`, and the ids that actions of it can have: from `firstId` to before `endId`. */
export type UsageDay = { readonly day: string; readonly firstId: string; readonly endId: string };

const missing = (days: readonly UsageDay[]) =>
  sql`select o.id, d.day from organizations o, unnest(${sql.val(days.map(({ day }) => day))}::date[]) d (day)
       where o.created_at < d.day + 1 and not exists (select from usage_days u where u.organization_id = o.id and u.day = d.day)`;

/** Organizations with a day whose usage is not recorded. */
export const findOrganizationsWithoutUsage = async (identity: Database, days: readonly UsageDay[]): Promise<string[]> =>
  (await sql<{ id: string }>`select distinct id from (${missing(days)}) m`.execute(identity)).rows.map(({ id }) => id);

/** The earliest of these days whose usage is not recorded. */
export const findDayWithoutUsage = async (
  tx: TenantTransaction,
  organizationId: string,
  days: readonly UsageDay[],
): Promise<UsageDay | undefined> => {
  const { rows } = await sql<{ day: string }>`
    select to_char(min(m.day), 'YYYY-MM-DD') as day from (${missing(days)}) m where m.id = ${organizationId}`.execute(tx);
  return days.find(({ day }) => day === rows[0]?.day);
};

/** Counts the decisions of a day and stores the count. */
export const storeUsage = async (
  tx: TenantTransaction,
  organizationId: string,
  { day, firstId, endId }: UsageDay,
  now: Date,
): Promise<number> => {
  const { rows } = await sql<{ decisions: number }>`
    insert into usage_days (organization_id, day, decisions, recorded_at)
    select ${organizationId}, ${day}::date,
           (select count(*) from actions where organization_id = ${organizationId} and id >= ${firstId} and id < ${endId}), ${now}
    returning decisions`.execute(tx);
  return rows[0]?.decisions ?? 0;
};
