import { type Refusal, refusal } from '@svc/contract/rows/refusal.ts';
import type { TenantScope } from '@svc/postgres/connection/in-tenant.ts';

/** Rates weigh on every decision of the organization, so that a caller limited to a part of it does not touch them. */
export const partRefusal = ({ workspace_ids, environment_id }: TenantScope): Refusal<'PERMISSION_DENIED'> | undefined =>
  workspace_ids || environment_id
    ? refusal('PERMISSION_DENIED', 'This call is limited to a part of the organization, and exchange rates hold for all of it.')
    : undefined;
