import type { ConditionScalar } from '@svc/contract/policy-language.ts';
import { compileEq } from './eq.ts';
import { compileIncludes } from './includes-text.ts';
import type { Test } from './node.ts';
import { FALSE, type Outcome, TRUE, UNKNOWN } from './outcome.ts';

/** In a text: the expected text occurs in it, case counting. In a list: at least one element equals the expected value. */
export const compileContains = (expected: ConditionScalar): Test => {
  const equal = compileEq(expected);
  const includes = typeof expected === 'string' ? compileIncludes(expected) : null;
  return (actual) => {
    if (typeof actual === 'string') {
      if (includes === null) return UNKNOWN;
      return includes(actual) ? TRUE : FALSE;
    }
    if (!Array.isArray(actual)) return UNKNOWN;
    let greatest: Outcome = FALSE;
    for (const element of actual) {
      const outcome = equal(element);
      if (outcome === TRUE) return TRUE;
      if (outcome > greatest) greatest = outcome;
    }
    return greatest;
  };
};
