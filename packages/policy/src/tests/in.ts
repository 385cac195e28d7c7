import type { ConditionScalar } from '@svc/contract/policies/language.ts';
import type { Test } from '../evaluation/node.ts';
import { FALSE, TRUE, UNKNOWN } from '../evaluation/outcome.ts';

/** One of the listed values; unknown if no listed value has the type of the field's value. */
export const compileIn = (expected: readonly ConditionScalar[]): Test => {
  const values = new Set<unknown>(expected);
  const types = new Set<string>(expected.map((value) => typeof value));
  const [first] = types;
  const isOfType = types.size === 1 ? (actual: unknown) => typeof actual === first : (actual: unknown) => types.has(typeof actual);
  return (actual) => {
    if (values.has(actual)) return TRUE;
    return isOfType(actual) ? FALSE : UNKNOWN;
  };
};
