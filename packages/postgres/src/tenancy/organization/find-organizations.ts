import type { Database } from '../../connection/connect.ts';

const FOUND_MAX = 20;

/** Organizations with this id or exactly this name, for the operator of the machine; a name may belong to several. */
export const findOrganizations = (identity: Database, idOrName: string): Promise<{ readonly id: string; readonly name: string }[]> =>
  identity
    .selectFrom('organizations')
    .select(['id', 'name'])
    .where((eb) => eb.or([eb('id', '=', idOrName), eb('name', '=', idOrName)]))
    .orderBy('id')
    .limit(FOUND_MAX)
    .execute();
