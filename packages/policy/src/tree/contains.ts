import type { ConditionScalar } from '@svc/contract/policy-language.ts';
import { WORK } from '../cost/prices.ts';
import { compileEq } from './eq.ts';
import { compileIncludes } from './includes-text.ts';
import { spend, type Test } from './node.ts';
import { FALSE, type Outcome, TRUE, UNKNOWN } from './outcome.ts';

/** In a text: the expected text occurs in it, case counting. In a list: at least one element equals the expected value. */
export const compileContains = (expected: ConditionScalar): Test => {
  const equal = compileEq(expected);
  const includes = typeof expected === 'string' ? compileIncludes(expected) : null;
  return (actual, run) => {
    if (typeof actual === 'string') {
      if (includes === null) return UNKNOWN;
      spend(run, WORK.search + actual.length * includes.perCharacter(actual.length));
      return includes.found(actual) ? TRUE : FALSE;
    }
    if (!Array.isArray(actual)) return UNKNOWN;
    spend(run, actual.length * WORK.listed);
    let greatest: Outcome = FALSE;
    for (const element of actual) {
      const outcome = equal(element, run);
      if (outcome === TRUE) return TRUE;
      if (outcome > greatest) greatest = outcome;
    }
    return greatest;
  };
};
