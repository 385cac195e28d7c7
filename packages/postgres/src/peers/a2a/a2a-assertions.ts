import { type Insertable, sql } from 'kysely';
import type { TenantTransaction } from '../../connection/in-tenant.ts';
import type { Tables } from '../../connection/tables.ts';

const DELETED_AT_ONCE = 20;

/** Uses up the id of an assertion (replay protection). Returns false if it was used before. Deletes a few that ended before `now`. */
export const useA2aAssertion = async (tx: TenantTransaction, row: Insertable<Tables['a2a_assertions']>, now: Date): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('a2a_assertions')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  await sql`
    delete from a2a_assertions where ctid = any(array(
      select ctid from a2a_assertions
       where organization_id = ${row.organization_id} and connection_id = ${row.connection_id} and expires_at < ${now}
       limit ${DELETED_AT_ONCE}))`.execute(tx);
  return numInsertedOrUpdatedRows === 1n;
};
