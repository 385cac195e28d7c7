import { LIMITS } from '@svc/contract/tables/limits.ts';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

/** At once; what is left is ended with the next one. */
const ENDED_MAX = 1_000;

type Whose = { readonly organizationId: string; readonly userId: string };

/**
 * Ends a member's sessions beyond the maximum in an organization, the least recently used first; returns them. They expire,
 * and are not revoked: sessions switched from one, or approved by it, continue, and end with the identity or the sign-in that they
 * depend on. Does not wait for one that is being ended.
 */
export const endSurplus = async (tx: TenantTransaction, { organizationId, userId }: Whose, now: Date): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    with surplus as (
      select s.id from sessions s
       where s.organization_id = ${organizationId} and s.user_id = ${userId} and s.revoked_at is null and s.expires_at > ${now}
       order by s.last_used_at desc, s.id desc offset ${LIMITS.ownSessions.perOrganizationMax} limit ${ENDED_MAX}),
    free as (
      select s.id from sessions s join surplus x on x.id = s.id where s.organization_id = ${organizationId} for update of s skip locked)
    update sessions s set expires_at = ${now} from free
     where s.organization_id = ${organizationId} and s.id = free.id
    returning s.id`.execute(tx);
  return rows.map(({ id }) => id).toSorted();
};
