import type { ConditionScalar } from '@svc/contract/policies/language.ts';
import type { Test } from '../evaluation/node.ts';
import { FALSE, TRUE, UNKNOWN } from '../evaluation/outcome.ts';

/** Same type and same value. Nothing is converted: "5" against 5 is unknown, not false. */
export const compileEq = (expected: ConditionScalar): Test => {
  const type = typeof expected;
  return (actual) => {
    if (actual === expected) return TRUE;
    return typeof actual === type ? FALSE : UNKNOWN;
  };
};
