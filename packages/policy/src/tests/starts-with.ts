import type { Test } from '../evaluation/node.ts';
import { FALSE, TRUE, UNKNOWN } from '../evaluation/outcome.ts';

/**
 * The text begins with the expected text, case-sensitive. A substring comparison handles many characters at once; the built-in search goes
 * one by one.
 */
export const compileStartsWith =
  (expected: string): Test =>
  (actual) => {
    if (typeof actual !== 'string') return UNKNOWN;
    return actual.slice(0, expected.length) === expected ? TRUE : FALSE;
  };
