import { holdsLoosely } from './loose-text.ts';

/** Maximum depth of the search for values that reveal a secret together. */
const LEVELS_LOOKED_AT_MAX = 8;

/** The text before each byte of a byte list written as an object: `{"0":115,"1":107}`. */
const FIRST_PLACE = '{"0":';
const PLACE = /"[0-9]{1,7}":/g;

/** Returns the JSON text, and the text without member names that are list indexes. */
export const writtenAsJson = (value: unknown): readonly string[] => {
  const text = JSON.stringify(value);
  return text.includes(FIRST_PLACE) ? [text, text.replace(PLACE, '')] : [text];
};

export type Across = {
  /** The letters and digits of the secrets. */
  readonly needles: readonly string[];
  readonly instead: string;
};

/** JSON without lists or objects of which no value is a secret and all are one together, such as its characters or bytes one by one. */
export const hideAcross = (value: unknown, across: Across, levels: number = LEVELS_LOOKED_AT_MAX): unknown => {
  const { needles, instead } = across;
  const isWhole = (one: unknown): boolean => writtenAsJson(one).some((text) => holdsLoosely(text, needles));
  if (needles.length === 0 || typeof value !== 'object' || value === null || !isWhole(value)) return value;
  if (levels === 0) return instead;
  const within = (member: unknown): unknown => hideAcross(member, across, levels - 1);
  const hidden = Array.isArray(value)
    ? value.map(within)
    : Object.fromEntries(Object.entries(value).map(([name, member]) => [name, within(member)]));
  return isWhole(hidden) ? instead : hidden;
};
