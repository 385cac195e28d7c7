import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

/** Returns true if an owner has an address in a verified domain of the connection. */
export const isOwnerEnforced = async (tx: TenantTransaction, organizationId: string, connectionId: string): Promise<boolean> => {
  const { rows } = await sql`
    select from members m
      join users u on u.id = m.user_id
      join sso_domains d on d.organization_id = m.organization_id and d.domain = split_part(u.email, '@', 2) and d.verified_at is not null
      join roles r on r.id = m.role_id and (r.organization_id is null or r.organization_id = m.organization_id)
     where m.organization_id = ${organizationId} and d.connection_id = ${connectionId} and not r.for_keys limit 1`.execute(tx);
  return rows.length > 0;
};

/**
 * Returns the active connection that a member must sign in by; undefined if any way is allowed. It is enforced for the
 * verified domain of their address, except for the named owner, while they are one.
 */
export const findEnforced = async (tx: TenantTransaction, organizationId: string, userId: string): Promise<string | undefined> => {
  const { rows } = await sql<{ id: string }>`
    select c.id from members m
      join users u on u.id = m.user_id
      join sso_domains d on d.organization_id = m.organization_id and d.domain = split_part(u.email, '@', 2) and d.verified_at is not null
      join sso_connections c on c.organization_id = d.organization_id and c.id = d.connection_id and c.enforce and c.status = 'ACTIVE'
      left join roles r on r.id = m.role_id and (r.organization_id is null or r.organization_id = m.organization_id)
     where m.organization_id = ${organizationId} and m.user_id = ${userId}
       and not (c.break_glass_user_id is not distinct from m.user_id and coalesce(not r.for_keys, false))`.execute(tx);
  return rows[0]?.id;
};
