import type { FieldCondition } from '@svc/contract/policies/language.ts';
import { listSubsets } from './subsets.ts';

/** Maximum number of generated texts; beyond it the conditions are treated as unpredictable. */
const TEXTS_MAX = 512;

const listTexts = (conditions: readonly FieldCondition[], ...ops: readonly FieldCondition['op'][]): string[] => [
  ...new Set(
    conditions.flatMap(({ op, value }) => (ops.includes(op) ? [value].flat().filter((one): one is string => typeof one === 'string') : [])),
  ),
];

/** Returns a character that occurs in none of the texts, letters first, for readable examples. */
const unusedIn = (texts: readonly string[]): string => {
  const used = new Set(texts.join('').toLowerCase());
  const letter = [...'xyzqwvkjabcdefghilmnoprstu0123456789'].find((one) => !used.has(one));
  if (letter !== undefined) return letter;
  let code = 0x4e00;
  while (used.has(String.fromCharCode(code))) code += 1;
  return String.fromCharCode(code);
};

/**
 * Returns representative texts for everything but patterns and networks; null if there would be too many.
 * The named texts are included. Any other text has a longest beginning, a longest end and some pieces among the compared ones; a text made
 * of just these, separated by a character that is in none of them, has the same and nothing else.
 */
export const listTextCandidates = (conditions: readonly FieldCondition[]): { readonly named: string[]; readonly made: string[] } | null => {
  const named = listTexts(conditions, 'eq', 'neq', 'in', 'not_in');
  const beginnings = listTexts(conditions, 'starts_with');
  const ends = listTexts(conditions, 'ends_with');
  const pieces = listTexts(conditions, 'contains', 'not_contains');
  if (pieces.length > 9 || (beginnings.length + 1) * (ends.length + 1) * 2 ** pieces.length > TEXTS_MAX) return null;
  const apart = unusedIn([...named, ...beginnings, ...ends, ...pieces]);
  const subsets = listSubsets(pieces);
  const made = ['', ...beginnings].flatMap((beginning) =>
    ['', ...ends].flatMap((end) => subsets.map((subset) => [beginning, ...subset, end].join(apart))),
  );
  return { named, made };
};
