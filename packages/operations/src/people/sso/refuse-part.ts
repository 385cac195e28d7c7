import { type Refusal, refusal } from '@svc/contract/rows/refusal.ts';
import type { TenantScope } from '@svc/postgres/connection/in-tenant.ts';

const PART = 'Sign-in settings apply to the whole organization, and your access is limited to a part of it. Ask a user with full access.';

/** For whoever is limited to workspaces: how people come in, and as what, holds wherever the organization has a workspace. */
export const refusePart = ({ workspace_ids }: TenantScope): Refusal<'PERMISSION_DENIED'> | undefined =>
  workspace_ids ? refusal('PERMISSION_DENIED', PART) : undefined;
