import type { RowsOf } from '../rows/rows-of.ts';
import { connectionEndpoints } from './connections.ts';
import { credentialEndpoints } from './credentials.ts';

export const CREDENTIALS = { ...credentialEndpoints, ...connectionEndpoints } as const satisfies RowsOf<'credentials'>;
