import { sql } from 'kysely';
import type { TenantTransaction } from '../connection/in-tenant.ts';

/** Serializes the creation of workspaces and environments in one organization, so that the limits hold. */
export const takePlaceTurn = async (tx: TenantTransaction, organizationId: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended('svc places ' || ${organizationId}, 0))`.execute(tx);
};

/** Archived ones too, as far as the transaction sees them. */
export const countPlaces = async (tx: TenantTransaction, organizationId: string, kind: 'workspaces' | 'environments'): Promise<number> => {
  const { count } = await tx
    .selectFrom(kind)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow();
  return Number(count);
};
