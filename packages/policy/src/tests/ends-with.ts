import type { Test } from '../evaluation/node.ts';
import { FALSE, TRUE, UNKNOWN } from '../evaluation/outcome.ts';

/** The text ends with the expected, non-empty text, case-sensitive. Compared like beginnings. */
export const compileEndsWith =
  (expected: string): Test =>
  (actual) => {
    if (typeof actual !== 'string') return UNKNOWN;
    return actual.slice(-expected.length) === expected ? TRUE : FALSE;
  };
