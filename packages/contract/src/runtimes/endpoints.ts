import type { RowsOf } from '../rows/rows-of.ts';
import { runtimeFindingEndpoints } from './runtime-findings.ts';
import { runtimeEndpoints } from './runtimes.ts';

export const RUNTIMES = {
  ...runtimeEndpoints,
  ...runtimeFindingEndpoints,
} as const satisfies RowsOf<'runtimes'>;
