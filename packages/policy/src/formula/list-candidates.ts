import type { ConditionScalar, FieldCondition } from '@svc/contract/policies/language.ts';
import { listSubsets } from './subsets.ts';

const LISTS_MAX = 512;
const partsOf = (conditions: readonly FieldCondition[]): ConditionScalar[] => [
  ...new Set(conditions.flatMap(({ op, value }) => (op === 'contains' || op === 'not_contains' ? [value as ConditionScalar] : []))),
];

/**
 * Returns representative lists; null if there would be too many. A list is characterized by the compared elements that it contains
 * and by the types of the others. `kinds` are values of the types that an element can have other than the compared ones.
 */
const listsWith = (parts: readonly ConditionScalar[], kinds: readonly unknown[]): unknown[][] | null => {
  if (parts.length > 9 || 2 ** (parts.length + kinds.length) > LISTS_MAX) return null;
  return listSubsets(parts).flatMap((subset) => listSubsets(kinds).map((more) => [...subset, ...more]));
};

/** Returns a text and a number that no condition compares with. */
const otherText = (parts: readonly ConditionScalar[]): string => `other${parts.filter((part) => typeof part === 'string').join('')}`;
const otherNumber = (parts: readonly ConditionScalar[]): number => {
  let value = 0;
  while (parts.includes(value)) value += 1;
  return value;
};

/** Returns representative lists of texts. */
export const listTextListCandidates = (conditions: readonly FieldCondition[]): unknown[][] | null => {
  const parts = partsOf(conditions);
  return listsWith(parts, [otherText(parts)]);
};

/** Returns representative lists of any values. For booleans, one may be compared and the other stands for the type. */
export const listCandidates = (conditions: readonly FieldCondition[]): unknown[][] | null => {
  const parts = partsOf(conditions);
  if (parts.length === 0) return [[]];
  const truths = [true, false].filter((truth) => !parts.includes(truth));
  return listsWith(parts, [otherText(parts), otherNumber(parts), {}, ...truths.slice(0, 1)]);
};
