import { LIMITS } from '@svc/contract/tables/limits.ts';
import { sql, type Transaction } from 'kysely';
import { SCOPE_STATEMENT } from './borrowed-connection.ts';
import type { Database } from './connect.ts';
import { inheritAuthenticator } from './event-authenticator.ts';
import { withConnection, withSearch } from './shares-of.ts';
import type { Tables } from './tables.ts';

export type TenantTransaction = Transaction<Tables>;

/** Where a caller may look: always one organization, sometimes only some of its workspaces, of which there may be none. */
export type TenantScope = {
  readonly organization_id: string;
  /** Null or absent: all of them. */
  readonly workspace_ids?: readonly string[] | null | undefined;
  readonly environment_id?: string | null | undefined;
};

/** What is no identifier, so that a set of none is never taken for all. */
const NO_WORKSPACE = 'none';

/** How a set of workspaces is told to row-level security. */
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
 * The same for a search, each of whose statements is ended when it takes too long, and is planned for the bounds that it has: one that was
 * planned for any of them reads from the beginning what is wanted from the end.
 */
const narrowSearch = async (transaction: TenantTransaction, scope: TenantScope): Promise<void> => {
  await sql`${sql.raw(SCOPE_STATEMENT)}organization_id', ${scope.organization_id}, true),
      set_config('svc.workspace_id', ${workspacesSetting(scope.workspace_ids)}, true),
      set_config('svc.environment_id', ${scope.environment_id ?? ''}, true),
      set_config('statement_timeout', ${String(LIMITS.database.searchStatementMs)}, true),
      set_config('plan_cache_mode', 'force_custom_plan', true)`.execute(transaction);
};

/** Runs `work` in one transaction in which row-level security shows this scope and nothing else. The organization's share has to have room. */
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
        inheritAuthenticator(database, transaction);
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
        inheritAuthenticator(database, transaction);
        await narrowSearch(transaction, scope);
        return work(transaction);
      }),
  );
