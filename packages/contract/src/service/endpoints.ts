import type { RowsOf } from '../rows/rows-of.ts';
import { healthEndpoints } from './health.ts';
import { infoEndpoints } from './info.ts';

export const SERVICE = { ...healthEndpoints, ...infoEndpoints } as const satisfies RowsOf<'service'>;
