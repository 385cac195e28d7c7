import type { Organization } from '@svc/contract/tenancy/organization.ts';
import type { TenantTransaction } from '../../connection/in-tenant.ts';

const COLUMNS = [
  'id',
  'name',
  'require_mfa',
  'base_currency',
  'time_zone',
  'allowed_networks',
  'deletes_at',
  'created_at',
  'updated_at',
] as const;

export const readOrganization = (tx: TenantTransaction, id: string): Promise<Organization> =>
  tx.selectFrom('organizations').select(COLUMNS).where('id', '=', id).executeTakeFirstOrThrow();

/** Reads it and locks it until the transaction ends. */
export const lockOrganization = (tx: TenantTransaction, id: string): Promise<Organization> =>
  tx.selectFrom('organizations').select(COLUMNS).where('id', '=', id).forUpdate().executeTakeFirstOrThrow();

/** The requested end of an organization; nulls withdraw the request. */
type Ending = {
  readonly deletes_at: Date | null;
  readonly deletion_asked_at: Date | null;
  readonly deletion_asked_by: string | null;
  readonly deletion_reason: string | null;
};

export type OrganizationChange =
  | Partial<Pick<Organization, 'name' | 'require_mfa' | 'base_currency' | 'time_zone' | 'allowed_networks'>>
  | Ending;

export const updateOrganization = (tx: TenantTransaction, id: string, changed: OrganizationChange, now: Date): Promise<Organization> =>
  tx
    .updateTable('organizations')
    .set({ ...changed, updated_at: now })
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
