import type { Test } from './node.ts';
import { FALSE, TRUE, UNKNOWN } from './outcome.ts';

/** The text ends with the expected text, case counting. */
export const compileEndsWith =
  (expected: string): Test =>
  (actual) => {
    if (typeof actual !== 'string') return UNKNOWN;
    return actual.endsWith(expected) ? TRUE : FALSE;
  };
