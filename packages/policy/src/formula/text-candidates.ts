import type { FieldCondition } from '@svc/contract/policies/language.ts';
import { subsetsOf } from './subsets.ts';

/** More texts than these are not made; the conditions are then taken to hold or not, as they please. */
const TEXTS_MAX = 512;

const textsOf = (conditions: readonly FieldCondition[], ...ops: readonly FieldCondition['op'][]): string[] => [
  ...new Set(
    conditions.flatMap(({ op, value }) => (ops.includes(op) ? [value].flat().filter((one): one is string => typeof one === 'string') : [])),
  ),
];

/** A character that occurs in none of the texts, letters first, so that an example reads well. */
const unusedIn = (texts: readonly string[]): string => {
  const used = new Set(texts.join('').toLowerCase());
  const letter = [...'xyzqwvkjabcdefghilmnoprstu0123456789'].find((one) => !used.has(one));
  if (letter !== undefined) return letter;
  let code = 0x4e00;
  while (used.has(String.fromCharCode(code))) code += 1;
  return String.fromCharCode(code);
};

/**
 * Texts of which every other one is judged as one of them is by everything but patterns and networks; null when there would be too many.
 * Those that are named come as they are. Any other text has a longest beginning, a longest end and some pieces among those asked for; one made
 * of just these, held apart by a character that is in none of them, has the same and nothing else.
 */
export const textCandidates = (conditions: readonly FieldCondition[]): { readonly named: string[]; readonly made: string[] } | null => {
  const named = textsOf(conditions, 'eq', 'neq', 'in', 'not_in');
  const beginnings = textsOf(conditions, 'starts_with');
  const ends = textsOf(conditions, 'ends_with');
  const pieces = textsOf(conditions, 'contains', 'not_contains');
  if (pieces.length > 9 || (beginnings.length + 1) * (ends.length + 1) * 2 ** pieces.length > TEXTS_MAX) return null;
  const apart = unusedIn([...named, ...beginnings, ...ends, ...pieces]);
  const subsets = subsetsOf(pieces);
  const made = ['', ...beginnings].flatMap((beginning) =>
    ['', ...ends].flatMap((end) => subsets.map((subset) => [beginning, ...subset, end].join(apart))),
  );
  return { named, made };
};
