import { sql } from 'kysely';
import type { TenantTransaction } from '../connection/in-tenant.ts';

type Named = { readonly id: string; readonly name: string };

/** Holders of a role, at most `limit` of each kind, the oldest first. */
export type RoleUses = {
  readonly members: readonly Named[];
  readonly api_keys: readonly Named[];
  readonly invitations: readonly Named[];
  /** Approvals that wait for it. */
  readonly approvals: readonly { readonly id: string }[];
  /** Policies in force with a rule that requires it. */
  readonly policies: readonly Named[];
  /** Single sign-on connections that give it, by a mapping or by default. */
  readonly sso_connections: readonly Named[];
  /** Groups of the directory that map to it; one entry without a name if it is the default. */
  readonly directory_groups: readonly { readonly name: string | null }[];
};

/** Ended keys and closed invitations do not count. Within the scope of the transaction. */
export const findRoleUses = async (
  tx: TenantTransaction,
  organizationId: string,
  roleId: string,
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<RoleUses> => {
  const { rows } = await sql<RoleUses>`
    select
      (select coalesce(json_agg(x), '[]') from (select m.id, u.name from members m join users u on u.id = m.user_id
         where m.organization_id = ${organizationId} and m.role_id = ${roleId} order by m.id limit ${limit}) x) as members,
      (select coalesce(json_agg(x), '[]') from (select k.id, k.name from api_keys k
         where k.organization_id = ${organizationId} and k.role_id = ${roleId} and k.revoked_at is null and k.expires_at > ${now}
         order by k.id limit ${limit}) x) as api_keys,
      (select coalesce(json_agg(x), '[]') from (select i.id, i.email as name from invitations i
         where i.organization_id = ${organizationId} and i.role_id = ${roleId} and i.ended_at is null
         order by i.id limit ${limit}) x) as invitations,
      (select coalesce(json_agg(x), '[]') from (select p.id from approvals p
         where p.organization_id = ${organizationId} and p.status = 'PENDING' and (p.approver_roles @> array[${roleId}::text]
           or p.approver_groups @> jsonb_build_array(jsonb_build_object('escalates_to', ${roleId}::text)))
         order by p.id limit ${limit}) x) as approvals,
      (select coalesce(json_agg(x), '[]') from (select p.id, p.name from policies p
         where p.organization_id = ${organizationId} and exists (select from policy_versions v
           where v.organization_id = p.organization_id and v.policy_id = p.id and v.status = 'ACTIVE'
             and position(to_json(${roleId}::text)::text in v.rules::text) > 0)
         order by p.id limit ${limit}) x) as policies,
      (select coalesce(json_agg(x), '[]') from (select c.id, c.name from sso_connections c
         where c.organization_id = ${organizationId} and (c.default_role_id = ${roleId}
           or c.role_mapping @> jsonb_build_array(jsonb_build_object('role_id', ${roleId}::text)))
         order by c.id limit ${limit}) x) as sso_connections,
      (select coalesce(json_agg(x), '[]') from (
         select null as name from scim_settings s where s.organization_id = ${organizationId} and s.default_role_id = ${roleId}
          union all
         select g ->> 'group' from scim_settings s cross join jsonb_array_elements(s.group_roles) g
          where s.organization_id = ${organizationId} and g ->> 'role_id' = ${roleId} limit ${limit}) x) as directory_groups`.execute(tx);
  return rows[0] ?? { members: [], api_keys: [], invitations: [], approvals: [], policies: [], sso_connections: [], directory_groups: [] };
};

/** Counts members, keys and invitations with it. */
export const countRoleUses = async (
  tx: TenantTransaction,
  organizationId: string,
  roleId: string,
  now: Date,
): Promise<{ readonly members: number; readonly api_keys: number; readonly invitations: number }> => {
  const { rows } = await sql<{ members: number; api_keys: number; invitations: number }>`
    select (select count(*) from members where organization_id = ${organizationId} and role_id = ${roleId})::int as members,
           (select count(*) from api_keys where organization_id = ${organizationId} and role_id = ${roleId}
               and revoked_at is null and expires_at > ${now})::int as api_keys,
           (select count(*) from invitations where organization_id = ${organizationId} and role_id = ${roleId}
               and ended_at is null and expires_at > ${now})::int as invitations`.execute(tx);
  return rows[0] ?? { members: 0, api_keys: 0, invitations: 0 };
};

/** The people in a role. */
export const listRoleMembers = async (tx: TenantTransaction, organizationId: string, roleId: string): Promise<string[]> =>
  (
    await tx.selectFrom('members').select('user_id').where('organization_id', '=', organizationId).where('role_id', '=', roleId).execute()
  ).map(({ user_id }) => user_id);
