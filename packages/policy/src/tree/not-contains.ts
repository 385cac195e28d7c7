import type { ConditionScalar } from '@svc/contract/policy-language.ts';
import { compileContains } from './contains.ts';
import type { Test } from './node.ts';
import { mirrored } from './outcome.ts';

/** Exactly the opposite of `contains`. */
export const compileNotContains = (expected: ConditionScalar): Test => {
  const contains = compileContains(expected);
  return (actual, run) => mirrored(contains(actual, run));
};
