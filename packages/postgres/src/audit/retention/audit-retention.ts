import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

export type RetentionRow = {
  readonly keep_days: number | null;
  readonly changed_at: string | null;
  readonly announced_leaves: number;
  readonly removed_leaves: number;
};

const NOTHING_SAID: RetentionRow = { keep_days: null, changed_at: null, announced_leaves: 0, removed_leaves: 0 };
const NAMES = ['keep_days', 'changed_at', 'announced_leaves', 'removed_leaves'] as const;

/** Returns the retention of an organization's events; unlimited by default. */
export const readRetention = async (tx: TenantTransaction, organizationId: string): Promise<RetentionRow> =>
  (await tx.selectFrom('audit_retention').select(NAMES).where('organization_id', '=', organizationId).executeTakeFirst()) ?? NOTHING_SAID;

/** The same, locked until the transaction ends. */
export const lockRetention = async (tx: TenantTransaction, organizationId: string): Promise<RetentionRow> => {
  await sql`insert into audit_retention (organization_id, keep_days) values (${organizationId}, null) on conflict do nothing`.execute(tx);
  return await tx
    .selectFrom('audit_retention')
    .select(NAMES)
    .where('organization_id', '=', organizationId)
    .forUpdate()
    .executeTakeFirstOrThrow();
};

export const setRetention = async (tx: TenantTransaction, organizationId: string, keepDays: number | null): Promise<RetentionRow> =>
  await tx
    .updateTable('audit_retention')
    .set({ keep_days: keepDays })
    .where('organization_id', '=', organizationId)
    .returning(NAMES)
    .executeTakeFirstOrThrow();

/** Organizations that keep their events for a time. */
export const findOrganizationsWithRetention = async (identity: Database): Promise<string[]> => {
  const rows = await identity.selectFrom('audit_retention').select('organization_id').where('keep_days', 'is not', null).execute();
  return rows.map(({ organization_id }) => organization_id);
};
