import type { ApiKey } from '@svc/contract/people/api-keys.ts';
import { toldWorkspaces } from '@svc/domain/people/auth/told-workspaces.ts';
import type { TenantTransaction } from '../connection/in-tenant.ts';

const COLUMNS = ['id', 'name', 'role_id', 'workspace_ids', 'created_by', 'created_at', 'expires_at', 'last_used_at', 'revoked_at'] as const;

type Row = Omit<ApiKey, 'workspace_id' | 'workspace_ids'> & { readonly workspace_ids: string[] | null };

const told = ({ workspace_ids, ...row }: Row): ApiKey => ({ ...row, ...toldWorkspaces(workspace_ids) });

export const listApiKeys = async (tx: TenantTransaction, organizationId: string): Promise<ApiKey[]> =>
  (await tx.selectFrom('api_keys').select(COLUMNS).where('organization_id', '=', organizationId).orderBy('id', 'desc').execute()).map(told);

export type NewApiKey = {
  readonly organization_id: string;
  readonly id: string;
  readonly workspace_ids: string[] | null;
  readonly name: string;
  readonly role_id: string;
  readonly token_hash: Buffer;
  readonly created_by: string;
  readonly expires_at: Date;
  readonly now: Date;
};

export const insertApiKey = async (tx: TenantTransaction, { now, ...row }: NewApiKey): Promise<ApiKey> =>
  told(
    await tx
      .insertInto('api_keys')
      .values({ ...row, created_at: now })
      .returning(COLUMNS)
      .executeTakeFirstOrThrow(),
  );

export const lockApiKey = async (tx: TenantTransaction, organizationId: string, id: string): Promise<ApiKey | undefined> => {
  const row = await tx
    .selectFrom('api_keys')
    .select(COLUMNS)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row && told(row);
};

export const revokeApiKey = async (tx: TenantTransaction, organizationId: string, id: string, now: Date): Promise<ApiKey> =>
  told(
    await tx
      .updateTable('api_keys')
      .set({ revoked_at: now })
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .returning(COLUMNS)
      .executeTakeFirstOrThrow(),
  );
