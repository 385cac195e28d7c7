import type { ConditionScalar } from '@svc/contract/policies/language.ts';
import type { Test } from '../evaluation/node.ts';
import { mirrored } from '../evaluation/outcome.ts';
import { compileContains } from './contains.ts';

/** The exact opposite of `contains`. */
export const compileNotContains = (expected: ConditionScalar): Test => {
  const contains = compileContains(expected);
  return (actual, run) => mirrored(contains(actual, run));
};
