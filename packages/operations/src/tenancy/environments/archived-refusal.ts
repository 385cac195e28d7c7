import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { isArchived } from '@svc/postgres/tenancy/environments.ts';

/** Refuses to create something in an archived scope. */
export const refuseArchived = (what: 'environment' | 'workspace'): Refusal<'INVALID_STATE_TRANSITION'> =>
  buildRefusal('INVALID_STATE_TRANSITION', `The ${what} is archived. Unarchive it before you create anything in it.`, {
    operation: 'create',
    from: 'ARCHIVED',
    allowed_from: ['ACTIVE'],
  });

/** Refuses to create something in an environment that is archived, itself or with its workspace. */
export const findArchivedRefusal = async (
  tx: TenantTransaction,
  organizationId: string,
  environmentId: string,
): Promise<Refusal<'INVALID_STATE_TRANSITION'> | undefined> =>
  (await isArchived(tx, organizationId, environmentId)) ? refuseArchived('environment') : undefined;
