import type { Workspace } from '@svc/contract/tenancy/workspaces.ts';
import type { TenantTransaction } from '../connection/in-tenant.ts';

const COLUMNS = ['id', 'name', 'slug', 'archived_at', 'created_at', 'updated_at'] as const;

export const listWorkspaces = (tx: TenantTransaction, organizationId: string): Promise<Workspace[]> =>
  tx.selectFrom('workspaces').select(COLUMNS).where('organization_id', '=', organizationId).orderBy('id').execute();

export type NewWorkspace = {
  readonly organization_id: string;
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly now: Date;
};

export const insertWorkspace = (tx: TenantTransaction, { now, ...row }: NewWorkspace): Promise<Workspace> =>
  tx
    .insertInto('workspaces')
    .values({ ...row, created_at: now, updated_at: now })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();

export const findWorkspace = (tx: TenantTransaction, organizationId: string, id: string): Promise<Workspace | undefined> =>
  tx.selectFrom('workspaces').select(COLUMNS).where('organization_id', '=', organizationId).where('id', '=', id).executeTakeFirst();

/** Reads it and locks it until the transaction ends. */
export const lockWorkspace = (tx: TenantTransaction, organizationId: string, id: string): Promise<Workspace | undefined> =>
  tx
    .selectFrom('workspaces')
    .select(COLUMNS)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();

/** The changeable members of a workspace. A trigger increases the epochs of its environments when it is archived or restored. */
export type WorkspaceChange = { readonly name?: string; readonly archived_at?: Date | null };

export const updateWorkspace = (
  tx: TenantTransaction,
  organizationId: string,
  id: string,
  changed: WorkspaceChange,
  now: Date,
): Promise<Workspace> =>
  tx
    .updateTable('workspaces')
    .set({ ...changed, updated_at: now })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();

export const workspaceExists = async (tx: TenantTransaction, organizationId: string, id: string): Promise<boolean> =>
  (await tx.selectFrom('workspaces').select('id').where('organization_id', '=', organizationId).where('id', '=', id).executeTakeFirst()) !==
  undefined;

export const isSlugTaken = async (tx: TenantTransaction, organizationId: string, slug: string): Promise<boolean> =>
  (await tx
    .selectFrom('workspaces')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('slug', '=', slug)
    .executeTakeFirst()) !== undefined;
