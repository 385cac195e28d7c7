import { POLICY_LIMITS } from '@svc/contract/policy-language.ts';
import { compilePattern } from '../linear-pattern.ts';
import type { Test } from './node.ts';
import { FALSE, TRUE, UNKNOWN } from './outcome.ts';

/** The pattern is found in the text. A text too long to search is unknown. Throws on a pattern that was never validated. */
export const compileMatches = (source: string, ignoreCase: boolean): Test => {
  const pattern = compilePattern(source, ignoreCase);
  if ('fault' in pattern) throw new Error(`A stored condition holds a pattern that is none: ${pattern.fault}`);
  return (actual) => {
    if (typeof actual !== 'string' || actual.length > POLICY_LIMITS.matched_text_length_max) return UNKNOWN;
    return pattern.found(actual) ? TRUE : FALSE;
  };
};
