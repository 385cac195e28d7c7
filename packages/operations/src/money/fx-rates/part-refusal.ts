import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { TenantScope } from '@svc/postgres/connection/in-tenant.ts';

/** Refuses a caller limited to a part of the organization: rates affect every decision. */
export const findPartRefusal = ({ workspace_ids, environment_id }: TenantScope): Refusal<'PERMISSION_DENIED'> | undefined =>
  workspace_ids || environment_id
    ? buildRefusal('PERMISSION_DENIED', 'This call is limited to a part of the organization, and exchange rates hold for all of it.')
    : undefined;
