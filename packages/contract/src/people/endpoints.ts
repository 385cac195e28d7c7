import type { RowsOf } from '../rows/rows-of.ts';
import { apiKeyEndpoints } from './api-keys.ts';
import { authEndpoints } from './auth.ts';
import { deviceApprovalEndpoints } from './device-approvals.ts';
import { passwordEndpoints } from './passwords.ts';
import { roleEndpoints } from './roles.ts';
import { secondFactorEndpoints } from './second-factors.ts';
import { sessionEndpoints } from './sessions.ts';
import { setupEndpoints } from './setup.ts';

export const PEOPLE = {
  ...authEndpoints,
  ...secondFactorEndpoints,
  ...deviceApprovalEndpoints,
  ...passwordEndpoints,
  ...sessionEndpoints,
  ...roleEndpoints,
  ...apiKeyEndpoints,
  ...setupEndpoints,
} as const satisfies RowsOf<'people'>;
