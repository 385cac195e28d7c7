import { isId } from '@svc/contract/tables/ids.ts';
import type { Database } from '../../connection/connect.ts';

const FOUND_MAX = 20;

/**
 * Returns the organization with this id, or those with exactly this name, for the operator; several may share a name. Names are free-form,
 * so a text in the form of an id is always treated as one.
 */
export const findOrganizations = (identity: Database, idOrName: string): Promise<{ readonly id: string; readonly name: string }[]> =>
  identity
    .selectFrom('organizations')
    .select(['id', 'name'])
    .where(isId('organization', idOrName) ? 'id' : 'name', '=', idOrName)
    .orderBy('id')
    .limit(FOUND_MAX)
    .execute();
