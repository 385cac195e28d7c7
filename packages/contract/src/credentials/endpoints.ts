import type { RowsOf } from '../rows/rows-of.ts';
import { credentialEndpoints } from './credentials.ts';

export const CREDENTIALS = { ...credentialEndpoints } as const satisfies RowsOf<'credentials'>;
