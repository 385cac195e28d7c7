import type { ConditionScalar } from '@svc/contract/policies/language.ts';
import { spend, type Test } from '../evaluation/node.ts';
import { FALSE, TRUE, type TruthValue, UNKNOWN } from '../evaluation/outcome.ts';
import { WORK } from '../evaluation/prices.ts';
import { compileEq } from './eq.ts';
import { compileIncludes } from './includes-text.ts';

/** In a text: the expected text occurs in it, case-sensitive. In a list: at least one element equals the expected value. */
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
    let greatest: TruthValue = FALSE;
    for (const element of actual) {
      const outcome = equal(element, run);
      if (outcome === TRUE) return TRUE;
      if (outcome > greatest) greatest = outcome;
    }
    return greatest;
  };
};
