import { type RawBuilder, sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

/**
 * Keeps used approvals consumed while their call is in flight, of those that match a condition on `p`. A withdrawal ends granted approvals;
 * one
 * in use at that moment is not APPROVED, and would otherwise be usable again if its call turns out never to have been sent.
 */
export const keepConsumed = async (tx: TenantTransaction, organizationId: string, matches: RawBuilder<boolean>): Promise<void> => {
  await sql`
    update approvals p set restorable = false from actions a
     where a.organization_id = ${organizationId} and a.status = 'EXECUTING' and a.approval_id is not null
       and p.organization_id = a.organization_id and p.id = a.approval_id and p.status = 'CONSUMED' and p.restorable and ${matches}`.execute(
    tx,
  );
};
