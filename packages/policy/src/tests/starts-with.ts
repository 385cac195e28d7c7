import type { Test } from '../evaluation/node.ts';
import { FALSE, TRUE, UNKNOWN } from '../evaluation/outcome.ts';

/** The text begins with the expected text, case counting. */
export const compileStartsWith =
  (expected: string): Test =>
  (actual) => {
    if (typeof actual !== 'string') return UNKNOWN;
    return actual.startsWith(expected) ? TRUE : FALSE;
  };
