import type { ConditionScalar } from '@svc/contract/policy-language.ts';
import { compileIn } from './in.ts';
import type { Test } from './node.ts';
import { mirrored } from './outcome.ts';

/** Exactly the opposite of `in`. */
export const compileNotIn = (expected: readonly ConditionScalar[]): Test => {
  const listed = compileIn(expected);
  return (actual, run) => mirrored(listed(actual, run));
};
