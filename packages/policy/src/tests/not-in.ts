import type { ConditionScalar } from '@svc/contract/policies/language.ts';
import type { Test } from '../evaluation/node.ts';
import { mirrored } from '../evaluation/outcome.ts';
import { compileIn } from './in.ts';

/** The exact opposite of `in`. */
export const compileNotIn = (expected: readonly ConditionScalar[]): Test => {
  const listed = compileIn(expected);
  return (actual, run) => mirrored(listed(actual, run));
};
