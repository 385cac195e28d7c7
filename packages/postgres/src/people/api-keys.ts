import type { ApiKey } from '@svc/contract/people/api-keys.ts';
import type { TenantTransaction } from '../connection/in-tenant.ts';

const COLUMNS = ['id', 'name', 'role_id', 'workspace_id', 'created_by', 'created_at', 'expires_at', 'last_used_at', 'revoked_at'] as const;

export const listApiKeys = (tx: TenantTransaction, organizationId: string): Promise<ApiKey[]> =>
  tx.selectFrom('api_keys').select(COLUMNS).where('organization_id', '=', organizationId).orderBy('id', 'desc').execute();

export type NewApiKey = {
  readonly organization_id: string;
  readonly id: string;
  readonly workspace_id: string | null;
  readonly name: string;
  readonly role_id: string;
  readonly token_hash: Buffer;
  readonly created_by: string;
  readonly expires_at: Date;
  readonly now: Date;
};

export const insertApiKey = (tx: TenantTransaction, { now, ...row }: NewApiKey): Promise<ApiKey> =>
  tx
    .insertInto('api_keys')
    .values({ ...row, created_at: now })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();

export const lockApiKey = (tx: TenantTransaction, organizationId: string, id: string): Promise<ApiKey | undefined> =>
  tx
    .selectFrom('api_keys')
    .select(COLUMNS)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();

export const revokeApiKey = (tx: TenantTransaction, organizationId: string, id: string, now: Date): Promise<ApiKey> =>
  tx
    .updateTable('api_keys')
    .set({ revoked_at: now })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
