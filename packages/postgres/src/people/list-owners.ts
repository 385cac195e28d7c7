import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { sql } from 'kysely';
import type { Database } from '../connection/connect.ts';
import { countsInOrganization } from './second-factors/counts-in.ts';

export type OrganizationOwner = {
  readonly organization_id: string;
  readonly organization_name: string;
  readonly name: string;
  readonly email: string;
  /** True if the address was proved. */
  readonly is_proved: boolean;
  readonly has_password: boolean;
  readonly factors: number;
  /** The latest use of a session in the organization; null if there was none. */
  readonly last_used_at: string | null;
};

/** Lists the owners of organizations, for the operator; of all of them if none is named. */
export const listOwners = async (identity: Database, organizationIds: readonly string[] | undefined): Promise<OrganizationOwner[]> => {
  const { rows } = await sql<OrganizationOwner>`
    select o.id as organization_id, o.name as organization_name, u.name, u.email, u.email_verified_at is not null as is_proved, u.password_hash is not null as has_password,
           (select count(*)::int from second_factors f where f.user_id = u.id and f.confirmed_at is not null
             and ${countsInOrganization('f', sql`o.id`)}) as factors,
           (select max(s.last_used_at) from sessions s where s.user_id = u.id and s.organization_id = o.id) as last_used_at
      from members m
      join users u on u.id = m.user_id
      join organizations o on o.id = m.organization_id
     where m.role_id = ${getBuiltInRole('owner').id}
       and (${organizationIds ?? null}::text[] is null or o.id = any (${organizationIds ?? null}::text[]))
     order by o.name, o.id, m.created_at limit ${LIMITS.people.ownersShownMax}`.execute(identity);
  return rows;
};
