import { isId } from '@svc/contract/tables/ids.ts';
import type { Database } from '../../connection/connect.ts';

const FOUND_MAX = 20;

/**
 * The organization with this id, or those with exactly this name, for the operator of the machine; a name may belong to several. Names are free,
 * so what has the form of an id is one and nobody's name.
 */
export const findOrganizations = (identity: Database, idOrName: string): Promise<{ readonly id: string; readonly name: string }[]> =>
  identity
    .selectFrom('organizations')
    .select(['id', 'name'])
    .where(isId('organization', idOrName) ? 'id' : 'name', '=', idOrName)
    .orderBy('id')
    .limit(FOUND_MAX)
    .execute();
