import type { ConditionScalar, FieldCondition } from '@svc/contract/policies/language.ts';
import { subsetsOf } from './subsets.ts';

const LISTS_MAX = 512;
const partsOf = (conditions: readonly FieldCondition[]): ConditionScalar[] => [
  ...new Set(conditions.flatMap(({ op, value }) => (op === 'contains' || op === 'not_contains' ? [value as ConditionScalar] : []))),
];

/**
 * Lists of which every other one is judged as one of them is; null when there would be too many. A list is told by which of the asked elements
 * it holds and by the types of what else is in it. `kinds` are values of the types an element can have beside the asked ones.
 */
const listsWith = (parts: readonly ConditionScalar[], kinds: readonly unknown[]): unknown[][] | null => {
  if (parts.length > 9 || 2 ** (parts.length + kinds.length) > LISTS_MAX) return null;
  return subsetsOf(parts).flatMap((subset) => subsetsOf(kinds).map((more) => [...subset, ...more]));
};

/** A text and a number that nobody asked for. */
const otherText = (parts: readonly ConditionScalar[]): string => `other${parts.filter((part) => typeof part === 'string').join('')}`;
const otherNumber = (parts: readonly ConditionScalar[]): number => {
  let value = 0;
  while (parts.includes(value)) value += 1;
  return value;
};

/** Lists of texts. */
export const textListCandidates = (conditions: readonly FieldCondition[]): unknown[][] | null => {
  const parts = partsOf(conditions);
  return listsWith(parts, [otherText(parts)]);
};

/** Lists of anything. Of true and false one may be asked for and the other stands for the type. */
export const listCandidates = (conditions: readonly FieldCondition[]): unknown[][] | null => {
  const parts = partsOf(conditions);
  if (parts.length === 0) return [[]];
  const truths = [true, false].filter((truth) => !parts.includes(truth));
  return listsWith(parts, [otherText(parts), otherNumber(parts), {}, ...truths.slice(0, 1)]);
};
