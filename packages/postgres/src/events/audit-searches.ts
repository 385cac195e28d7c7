import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { TenantTransaction } from '../connection/in-tenant.ts';
import type { Tables } from '../connection/tables.ts';

export type SavedRow = Selectable<Tables['audit_searches']>;
type Key = { readonly organization_id: string; readonly id: string };

/** Serializes saving searches in one organization, so that the limit holds. */
export const takeSavingTurn = async (tx: TenantTransaction, organizationId: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended('svc saved searches ' || ${organizationId}, 0))`.execute(tx);
};

/** Lists those of an owner, and shared ones of others if requested. */
export const listSaved = (
  tx: TenantTransaction,
  { organization_id, owner_id, withShared }: { readonly organization_id: string; readonly owner_id: string; readonly withShared: boolean },
): Promise<SavedRow[]> =>
  tx
    .selectFrom('audit_searches')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where((eb) => eb.or([eb('owner_id', '=', owner_id), ...(withShared ? [eb('shared', '=', true)] : [])]))
    .orderBy('name')
    .orderBy('id')
    .execute();

/** Counts those of an owner, and the shared ones. */
export const countSaved = async (
  tx: TenantTransaction,
  organizationId: string,
  ownerId: string,
): Promise<{ own: number; shared: number }> => {
  const { rows } = await sql<{ own: number; shared: number }>`
    select (select count(*) from audit_searches where organization_id = ${organizationId} and owner_id = ${ownerId})::integer as own,
           (select count(*) from audit_searches where organization_id = ${organizationId} and shared)::integer as shared`.execute(tx);
  return rows[0] ?? { own: 0, shared: 0 };
};

export const insertSaved = (tx: TenantTransaction, row: Insertable<Tables['audit_searches']>): Promise<SavedRow> =>
  tx.insertInto('audit_searches').values(row).returningAll().executeTakeFirstOrThrow();

/** Locked until the transaction ends. */
export const lockSaved = (tx: TenantTransaction, { organization_id, id }: Key): Promise<SavedRow | undefined> =>
  tx
    .selectFrom('audit_searches')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();

export const updateSaved = (
  tx: TenantTransaction,
  { organization_id, id }: Key,
  row: Updateable<Tables['audit_searches']>,
): Promise<SavedRow> =>
  tx
    .updateTable('audit_searches')
    .set(row)
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();

export const deleteSaved = async (tx: TenantTransaction, { organization_id, id }: Key): Promise<void> => {
  await tx.deleteFrom('audit_searches').where('organization_id', '=', organization_id).where('id', '=', id).execute();
};
