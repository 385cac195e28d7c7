import type { ConditionScalar } from '@svc/contract/policy-language.ts';
import type { Test } from './node.ts';
import { FALSE, TRUE, UNKNOWN } from './outcome.ts';

/** Same type and same value. Nothing is converted: "5" against 5 is unknown, not false. */
export const compileEq = (expected: ConditionScalar): Test => {
  const type = typeof expected;
  return (actual) => {
    if (actual === expected) return TRUE;
    return typeof actual === type ? FALSE : UNKNOWN;
  };
};
