import type { Test } from './node.ts';
import { FALSE, TRUE, UNKNOWN } from './outcome.ts';

export const compileGte =
  (bound: number): Test =>
  (actual) => {
    if (typeof actual !== 'number' || !Number.isFinite(actual)) return UNKNOWN;
    return actual >= bound ? TRUE : FALSE;
  };
