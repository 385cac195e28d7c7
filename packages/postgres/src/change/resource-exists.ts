import { type IdParameter, isPathParameter, PATH_PARAMETERS, type PathParameters } from '@svc/contract/tables/path-parameters.ts';
import { sql } from 'kysely';
import type { Database } from '../connection/connect.ts';
import { readInTenant, type TenantScope } from '../connection/in-tenant.ts';
import { isSeenMember } from '../connection/seen-members.ts';
import type { Tables } from '../connection/tables.ts';

/** A noun with a table that the database does not have does not compile here. */
const PARAMETERS = PATH_PARAMETERS satisfies Readonly<Record<IdParameter, { readonly table: keyof Tables }>>;

type ResourceTable = (typeof PARAMETERS)[IdParameter]['table'];

const getTable = (param: string): ResourceTable | null => {
  if (!isPathParameter(param)) throw new Error(`the path parameter ${param} names no table`);
  return PARAMETERS[param].table;
};

/**
 * Returns true if every row that the parameters name by id exists for this scope. Parameters that hold no id, such as a capability, do not
 * count. Throws on a parameter that no noun has.
 */
export const resourcesExist = async (database: Database, scope: TenantScope, params: PathParameters): Promise<boolean> => {
  const named = Object.entries(params).map(([param, id]) => ({ table: getTable(param), id }));
  return readInTenant(database, scope, async (tx) => {
    for (const { table, id } of named) {
      if (table === null) continue;
      const row = await tx
        .selectFrom(table)
        .select('id')
        .where((eb) =>
          eb.or([
            eb('organization_id', '=', scope.organization_id),
            // Built-in roles belong to no organization and exist for all.
            ...(table === 'roles' ? [eb('organization_id', 'is', null)] : []),
          ]),
        )
        .where(table === 'members' ? isSeenMember('members', scope.workspace_ids ?? null) : sql<boolean>`true`)
        .where('id', '=', id)
        .executeTakeFirst();
      if (!row) return false;
    }
    return true;
  });
};
