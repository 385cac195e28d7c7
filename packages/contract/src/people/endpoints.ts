import type { RowsOf } from '../rows/rows-of.ts';
import { apiKeyEndpoints } from './api-keys.ts';
import { authEndpoints } from './auth.ts';
import { cliEndpoints } from './cli.ts';
import { pageEndpoints } from './pages.ts';
import { roleEndpoints } from './roles.ts';
import { setupEndpoints } from './setup.ts';

export const PEOPLE = {
  ...authEndpoints,
  ...cliEndpoints,
  ...roleEndpoints,
  ...apiKeyEndpoints,
  ...setupEndpoints,
  ...pageEndpoints,
} as const satisfies RowsOf<'people'>;
