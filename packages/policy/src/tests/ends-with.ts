import type { Test } from '../evaluation/node.ts';
import { FALSE, TRUE, UNKNOWN } from '../evaluation/outcome.ts';

/** The text ends with the expected text, which is not empty, case counting. Compared as beginnings are. */
export const compileEndsWith =
  (expected: string): Test =>
  (actual) => {
    if (typeof actual !== 'string') return UNKNOWN;
    return actual.slice(-expected.length) === expected ? TRUE : FALSE;
  };
