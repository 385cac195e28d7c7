import { PROOF_NAMES, PROOFS } from '@svc/contract/tables/proofs.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

const OF_PROVIDERS = PROOF_NAMES.filter((proof) => 'ofOneOrganization' in PROOFS[proof]);

/**
 * Ends sessions of members with enforced single sign-on that were not opened by the provider, and those they approved in terminals; not
 * those of the exempt owner. Returns the number.
 */
export const endOtherWays = async (tx: TenantTransaction, organizationId: string, now: Date): Promise<number> => {
  const { numAffectedRows } = await sql`
    update sessions s set revoked_at = ${now}
      from members m
      join users u on u.id = m.user_id
      join sso_domains d on d.organization_id = m.organization_id and d.domain = split_part(u.email, '@', 2) and d.verified_at is not null
      join sso_connections c on c.organization_id = d.organization_id and c.id = d.connection_id and c.enforce and c.status = 'ACTIVE'
      left join roles r on r.id = m.role_id and (r.organization_id is null or r.organization_id = m.organization_id)
     where s.organization_id = ${organizationId} and s.revoked_at is null and s.expires_at > ${now}
       and m.organization_id = s.organization_id and m.user_id = s.user_id and not s.amr && ${OF_PROVIDERS}::text[]
       and not (c.break_glass_user_id is not distinct from m.user_id and coalesce(not r.for_keys, false))`.execute(tx);
  return Number(numAffectedRows ?? 0n);
};
