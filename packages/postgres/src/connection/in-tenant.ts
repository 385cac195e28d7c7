import { LIMITS } from '@svc/contract/tables/limits.ts';
import { sql, type Transaction } from 'kysely';
import { SCOPE_STATEMENT } from './borrowed-connection.ts';
import type { Database } from './connect.ts';
import { withConnection, withSearch } from './shares-of.ts';
import type { Tables } from './tables.ts';

export type TenantTransaction = Transaction<Tables>;

/** Where a caller may look: always one organization, sometimes only a part of it. */
export type TenantScope = {
  readonly organization_id: string;
  readonly workspace_id?: string | null | undefined;
  readonly environment_id?: string | null | undefined;
};

const narrow = async (transaction: TenantTransaction, scope: TenantScope): Promise<void> => {
  await sql`${sql.raw(SCOPE_STATEMENT)}organization_id', ${scope.organization_id}, true),
      set_config('svc.workspace_id', ${scope.workspace_id ?? ''}, true),
      set_config('svc.environment_id', ${scope.environment_id ?? ''}, true)`.execute(transaction);
};

/** The same for a search, each of whose statements is ended when it takes too long. */
const narrowSearch = async (transaction: TenantTransaction, scope: TenantScope): Promise<void> => {
  await sql`${sql.raw(SCOPE_STATEMENT)}organization_id', ${scope.organization_id}, true),
      set_config('svc.workspace_id', ${scope.workspace_id ?? ''}, true),
      set_config('svc.environment_id', ${scope.environment_id ?? ''}, true),
      set_config('statement_timeout', ${String(LIMITS.database.searchStatementMs)}, true)`.execute(transaction);
};

/** Runs `work` in one transaction in which row-level security shows this scope and nothing else. The organization's share has to have room. */
export const inTenant = <Result>(
  database: Database,
  scope: TenantScope,
  work: (transaction: TenantTransaction) => Promise<Result>,
): Promise<Result> =>
  withConnection(database, scope.organization_id, () =>
    database.transaction().execute(async (transaction) => {
      await narrow(transaction, scope);
      return work(transaction);
    }),
  );

/** The same for work that only reads: the server refuses to write in it, and a single statement is one round trip. */
export const readInTenant = <Result>(
  database: Database,
  scope: TenantScope,
  work: (transaction: TenantTransaction) => Promise<Result>,
): Promise<Result> =>
  withConnection(database, scope.organization_id, () =>
    database
      .transaction()
      .setAccessMode('read only')
      .execute(async (transaction) => {
        await narrow(transaction, scope);
        return work(transaction);
      }),
  );

/** The same for work that may look through many rows: a part of the share is for it, and its statements are ended early. */
export const searchInTenant = <Result>(
  database: Database,
  scope: TenantScope,
  work: (transaction: TenantTransaction) => Promise<Result>,
): Promise<Result> =>
  withSearch(database, scope.organization_id, () =>
    database
      .transaction()
      .setAccessMode('read only')
      .execute(async (transaction) => {
        await narrowSearch(transaction, scope);
        return work(transaction);
      }),
  );
