import type { AreaEndpoints } from '../rows/area-rows.ts';
import { connectionEndpoints } from './connections.ts';
import { credentialEndpoints } from './credentials.ts';
import { testCallEndpoints } from './test-calls.ts';

export const CREDENTIALS = {
  ...credentialEndpoints,
  ...connectionEndpoints,
  ...testCallEndpoints,
} as const satisfies AreaEndpoints<'credentials'>;
