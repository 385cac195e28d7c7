import type { ConditionScalar } from '@svc/contract/policy-language.ts';
import { compileEq } from './eq.ts';
import type { Test } from './node.ts';
import { mirrored } from './outcome.ts';

/** Exactly the opposite of `eq`. */
export const compileNeq = (expected: ConditionScalar): Test => {
  const equal = compileEq(expected);
  return (actual, run) => mirrored(equal(actual, run));
};
