import type { RowsOf } from '../rows/rows-of.ts';
import { apiKeyEndpoints } from './api-keys.ts';
import { authEndpoints } from './auth.ts';
import { roleEndpoints } from './roles.ts';

export const PEOPLE = { ...authEndpoints, ...roleEndpoints, ...apiKeyEndpoints } as const satisfies RowsOf<'people'>;
