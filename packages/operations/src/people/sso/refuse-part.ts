import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { TenantScope } from '@svc/postgres/connection/in-tenant.ts';

const PART = 'Sign-in settings apply to the whole organization, and your access is limited to a part of it. Ask a user with full access.';

/** Refuses a caller limited to workspaces: sign-in settings apply to the whole organization. */
export const refusePart = ({ workspace_ids }: TenantScope): Refusal<'PERMISSION_DENIED'> | undefined =>
  workspace_ids ? buildRefusal('PERMISSION_DENIED', PART) : undefined;
