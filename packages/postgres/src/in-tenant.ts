import { sql, type Transaction } from 'kysely';
import type { Database } from './connect.ts';
import type { Tables } from './tables.ts';

export type TenantTransaction = Transaction<Tables>;

/** Where a caller may look: always one organization, sometimes only a part of it. */
export type TenantScope = {
  readonly organization_id: string;
  readonly workspace_id?: string | null | undefined;
  readonly environment_id?: string | null | undefined;
};

/** Runs `work` in one transaction in which row-level security shows this scope and nothing else. */
export const inTenant = <Result>(
  database: Database,
  scope: TenantScope,
  work: (transaction: TenantTransaction) => Promise<Result>,
): Promise<Result> =>
  database.transaction().execute(async (transaction) => {
    await sql`select set_config('svc.organization_id', ${scope.organization_id}, true),
      set_config('svc.workspace_id', ${scope.workspace_id ?? ''}, true),
      set_config('svc.environment_id', ${scope.environment_id ?? ''}, true)`.execute(transaction);
    return work(transaction);
  });
