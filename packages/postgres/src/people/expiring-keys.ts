import { builtInRole } from '@svc/contract/tables/built-in-roles.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../connection/connect.ts';
import type { TenantTransaction } from '../connection/in-tenant.ts';

const { warnBeforeDays, toldMax } = LIMITS.apiKeys;

/** Keys whose end is near and that nobody was told of: of a short life the last third, otherwise some days. */
const isDue = (now: Date): RawBuilder<boolean> => sql<boolean>`
  warned_at is null and revoked_at is null and expires_at > ${now} and expires_at <= ${now}::timestamptz + make_interval(days => ${warnBeforeDays})
  and expires_at - ${now}::timestamptz <= (expires_at - created_at) / 3`;

export const findOrganizationsWithExpiringKeys = async (identity: Database, now: Date): Promise<string[]> => {
  const { rows } = await sql<{ organization_id: string }>`
    select distinct organization_id from api_keys where ${isDue(now)}`.execute(identity);
  return rows.map((row) => row.organization_id);
};

export type ExpiringKey = { readonly id: string; readonly name: string; readonly expires_at: string; readonly organization_name: string };

/** Marks at most `limit` as told of, and answers them; of several that look at once each gets others. */
export const takeExpiringKeys = async (tx: TenantTransaction, organizationId: string, now: Date, limit: number): Promise<ExpiringKey[]> => {
  const { rows } = await sql<ExpiringKey>`
    update api_keys k set warned_at = ${now} from organizations o
     where k.organization_id = ${organizationId} and o.id = k.organization_id and k.id in (
       select id from api_keys where organization_id = ${organizationId} and ${isDue(now)} order by expires_at limit ${limit} for update skip locked)
    returning k.id, k.name, k.expires_at, o.name as organization_name`.execute(tx);
  return rows;
};

/** Who is told of a key: the person behind it, while they are a member, and then the owners. None where it is nobody's any more, and so no key. */
export const findAddressesBehindKey = async (tx: TenantTransaction, organizationId: string, keyId: string): Promise<string[]> => {
  const { rows } = await sql<{ email: string }>`
    with recursive makers as (
      select ${keyId}::text as id
       union
      select k.created_by from makers m join api_keys k on k.organization_id = ${organizationId} and k.id = m.id),
    people as (
      select u.email, 0 as turn from makers x join members m on m.organization_id = ${organizationId} and m.user_id = x.id join users u on u.id = m.user_id)
    select email from (
      select email, min(turn) as turn from (
        select email, turn from people
         union all
        select u.email, 1 from members m join users u on u.id = m.user_id
         where m.organization_id = ${organizationId} and m.role_id = ${builtInRole('owner').id} and exists (select from people)) each
       group by email) told
     order by turn, email limit ${toldMax}`.execute(tx);
  return rows.map(({ email }) => email);
};
