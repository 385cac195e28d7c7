import { type Refusal, refusal } from '@svc/contract/rows/refusal.ts';
import type { TenantScope } from '@svc/postgres/connection/in-tenant.ts';

const PART = 'How people sign in is the whole organization’s, and this call is limited to a part of it: ask somebody who sees all of it.';

/** For whoever is limited to workspaces: how people come in, and as what, holds wherever the organization has a workspace. */
export const refusePart = ({ workspace_ids }: TenantScope): Refusal<'PERMISSION_DENIED'> | undefined =>
  workspace_ids ? refusal('PERMISSION_DENIED', PART) : undefined;
