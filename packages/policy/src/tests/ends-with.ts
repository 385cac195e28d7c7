import type { Test } from '../evaluation/node.ts';
import { FALSE, TRUE, UNKNOWN } from '../evaluation/outcome.ts';

/** The text ends with the expected text, case counting. */
export const compileEndsWith =
  (expected: string): Test =>
  (actual) => {
    if (typeof actual !== 'string') return UNKNOWN;
    return actual.endsWith(expected) ? TRUE : FALSE;
  };
