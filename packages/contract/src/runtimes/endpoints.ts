import type { AreaEndpoints } from '../rows/area-rows.ts';
import { runtimeFindingEndpoints } from './runtime-findings.ts';
import { runtimeHookEndpoints } from './runtime-hooks.ts';
import { runtimeEndpoints } from './runtimes.ts';

export const RUNTIMES = {
  ...runtimeEndpoints,
  ...runtimeFindingEndpoints,
  ...runtimeHookEndpoints,
} as const satisfies AreaEndpoints<'runtimes'>;
