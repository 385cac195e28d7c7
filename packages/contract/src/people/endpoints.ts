import type { RowsOf } from '../rows/rows-of.ts';
import { apiKeyEndpoints } from './api-keys.ts';
import { authEndpoints } from './auth.ts';
import { deviceApprovalEndpoints } from './device-approvals.ts';
import { roleEndpoints } from './roles.ts';
import { secondFactorEndpoints } from './second-factors.ts';
import { setupEndpoints } from './setup.ts';

export const PEOPLE = {
  ...authEndpoints,
  ...secondFactorEndpoints,
  ...deviceApprovalEndpoints,
  ...roleEndpoints,
  ...apiKeyEndpoints,
  ...setupEndpoints,
} as const satisfies RowsOf<'people'>;
