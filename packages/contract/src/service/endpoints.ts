import type { AreaEndpoints } from '../rows/area-rows.ts';
import { documentEndpoints } from './documents.ts';
import { healthEndpoints } from './health.ts';
import { infoEndpoints } from './info.ts';

export const SERVICE = { ...healthEndpoints, ...infoEndpoints, ...documentEndpoints } as const satisfies AreaEndpoints<'service'>;
