import type { AreaEndpoints } from '../rows/area-rows.ts';
import { environmentEndpoints } from './environments.ts';
import { organizationEndpoints } from './organization.ts';
import { workspaceEndpoints } from './workspaces.ts';

export const TENANCY = {
  ...organizationEndpoints,
  ...workspaceEndpoints,
  ...environmentEndpoints,
} as const satisfies AreaEndpoints<'tenancy'>;
