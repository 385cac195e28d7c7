import { LIMITS } from '@svc/contract/tables/limits.ts';
import { sql, type Transaction } from 'kysely';
import { SCOPE_STATEMENT } from './borrowed-connection.ts';
import type { Database } from './connect.ts';
import { withConnection, withSearch } from './connection-shares.ts';
import { inheritAuthenticator } from './event-authenticator.ts';
import type { Tables } from './tables.ts';

export type TenantTransaction = Transaction<Tables>;

/** The scope of a caller: always one organization, sometimes only some of its workspaces, of which there may be none. */
export type TenantScope = {
  readonly organization_id: string;
  /** Null or absent: all of them. */
  readonly workspace_ids?: readonly string[] | null | undefined;
  readonly environment_id?: string | null | undefined;
};

/** An invalid identifier, so that an empty set is never taken for all. */
const NO_WORKSPACE = 'none';

/** Returns the setting of row-level security for a set of workspaces. */
export const workspacesSetting = (ids: TenantScope['workspace_ids']): string => {
  if (ids === null || ids === undefined) return '';
  return ids.length === 0 ? NO_WORKSPACE : ids.join(',');
};

const narrow = async (transaction: TenantTransaction, scope: TenantScope): Promise<void> => {
  await sql`${sql.raw(SCOPE_STATEMENT)}organization_id', ${scope.organization_id}, true),
      set_config('svc.workspace_id', ${workspacesSetting(scope.workspace_ids)}, true),
      set_config('svc.environment_id', ${scope.environment_id ?? ''}, true)`.execute(transaction);
};

/**
 * The same for a search: each statement has a timeout, and is planned for its actual bounds: a generic
 * plan reads from the beginning what is wanted from the end.
 */
const narrowSearch = async (transaction: TenantTransaction, scope: TenantScope): Promise<void> => {
  await sql`${sql.raw(SCOPE_STATEMENT)}organization_id', ${scope.organization_id}, true),
      set_config('svc.workspace_id', ${workspacesSetting(scope.workspace_ids)}, true),
      set_config('svc.environment_id', ${scope.environment_id ?? ''}, true),
      set_config('statement_timeout', ${String(LIMITS.database.searchStatementMs)}, true),
      set_config('plan_cache_mode', 'force_custom_plan', true)`.execute(transaction);
};

/**
 * Runs `work` in one transaction in which row-level security shows this scope and nothing else. Waits for the organization's share of
 * connections.
 */
export const inTenant = <Result>(
  database: Database,
  scope: TenantScope,
  work: (transaction: TenantTransaction) => Promise<Result>,
): Promise<Result> =>
  withConnection(database, scope.organization_id, () =>
    database.transaction().execute(async (transaction) => {
      inheritAuthenticator(database, transaction);
      await narrow(transaction, scope);
      return work(transaction);
    }),
  );

/** The same for read-only work: the server rejects writes, and a single statement is one round trip. */
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
        inheritAuthenticator(database, transaction);
        await narrow(transaction, scope);
        return work(transaction);
      }),
  );

/** The same for work that may scan many rows: it uses a part of the share, and its statements time out early. */
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
        inheritAuthenticator(database, transaction);
        await narrowSearch(transaction, scope);
        return work(transaction);
      }),
  );
