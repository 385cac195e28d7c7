import type { ConditionScalar } from '@svc/contract/policies/language.ts';
import type { Test } from '../evaluation/node.ts';
import { mirrored } from '../evaluation/outcome.ts';
import { compileEq } from './eq.ts';

/** The exact opposite of `eq`. */
export const compileNeq = (expected: ConditionScalar): Test => {
  const equal = compileEq(expected);
  return (actual, run) => mirrored(equal(actual, run));
};
