import type { Database } from '../../connection/connect.ts';

/** Ids of the organizations of the database, in order, after the named one. */
export const listOrganizations = async (identity: Database, after: string, limit: number): Promise<readonly string[]> => {
  const rows = await identity.selectFrom('organizations').select('id').where('id', '>', after).orderBy('id').limit(limit).execute();
  return rows.map(({ id }) => id);
};
