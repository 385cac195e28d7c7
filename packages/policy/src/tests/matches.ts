import { POLICY_LIMITS } from '@svc/contract/tables/limits/policy-limits.ts';
import { type EvaluationState, spend, type Test } from '../evaluation/node.ts';
import { FALSE, TRUE, UNKNOWN } from '../evaluation/outcome.ts';
import { WORK } from '../evaluation/prices.ts';
import { compilePattern, type LinearPattern } from '../values/linear-pattern.ts';

/** Searches a text for a pattern once per decision, however many rules use it. */
const foundOnce = (run: EvaluationState, pattern: LinearPattern, text: string): boolean => {
  run.searched ??= new Map();
  let known = run.searched.get(pattern);
  if (known === undefined) {
    known = new Map();
    run.searched.set(pattern, known);
  }
  const before = known.get(text);
  if (before !== undefined) return before;
  spend(run, WORK.search + text.length * pattern.perCharacter);
  const found = pattern.found(text);
  known.set(text, found);
  return found;
};

/** The pattern is found in the text. A text too long to search is unknown. Throws on a pattern that was never validated. */
export const compileMatches = (source: string, ignoreCase: boolean): Test => {
  const pattern = compilePattern(source, ignoreCase);
  if ('fault' in pattern) throw new Error(`A stored condition contains an invalid pattern: ${pattern.fault}`);
  return (actual, run) => {
    if (typeof actual !== 'string' || actual.length > POLICY_LIMITS.matched_text_length_max) return UNKNOWN;
    const work = actual.length * pattern.perCharacter;
    // A cheaper search is faster than a cache look-up.
    if (work >= WORK.again) return foundOnce(run, pattern, actual) ? TRUE : FALSE;
    spend(run, WORK.search + work);
    return pattern.found(actual) ? TRUE : FALSE;
  };
};
