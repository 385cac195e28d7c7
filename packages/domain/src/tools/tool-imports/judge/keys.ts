const PARTS = /[^a-z0-9]+/g;
/** Length of the key alone: its source and a dot precede it. */
const KEY_CHARACTERS_MAX = 66;
const MARK_CHARACTERS = 8;

/** Returns a 40-bit hash of a text [FNV-1a, two halves], as eight characters. Only distinguishes names. */
const getMark = (text: string): string => {
  let [low, high] = [0x811c9dc5, 0x1000193];
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    low = Math.imul(low ^ unit, 0x01000193) >>> 0;
    high = Math.imul(high ^ unit ^ (low >>> 7), 0x01000193) >>> 0;
  }
  return (high.toString(36).padStart(4, '0').slice(-4) + low.toString(36).padStart(4, '0').slice(-4)).slice(0, MARK_CHARACTERS);
};

const WORD_STARTS = /([a-z0-9])([A-Z])|([A-Z]+)([A-Z][a-z])/g;

/** `listPets`, `pets/list-all` and `GET /pets/{id}` as one part of a dotted name. */
export const deriveOperationKey = (written: string): string => {
  const text = written.slice(0, 1_000);
  const key = text
    .replace(WORD_STARTS, '$1$3_$2$4')
    .toLowerCase()
    .replace(PARTS, '_')
    .replace(/^_+|(?<!_)_+$/g, '');
  if (key === '') return `op_${getMark(text)}`;
  return key.length <= KEY_CHARACTERS_MAX ? key : `${key.slice(0, KEY_CHARACTERS_MAX - MARK_CHARACTERS - 1)}_${getMark(text)}`;
};

/** Possible names of one operation: as written, or by its position. */
export type NamedOperation = { readonly written: string; readonly otherwise: string; readonly place: string };

/** The name of one operation, and if it is identical to another, so that it cannot be a tool. */
export type Keyed = { readonly key: string; readonly isTwin: boolean };

export const TWIN =
  'Another operation of the document has the same name at the same path, so later versions could not distinguish them. Give them different names.';

const countsOf = (keys: readonly string[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
};

/** Returns unique keys unchanged, and others with their marks. */
const marked = (keys: readonly string[], markFor: (index: number) => string): readonly string[] => {
  const counts = countsOf(keys);
  return keys.map((key, index) =>
    counts.get(key) === 1 ? key : `${key.slice(0, KEY_CHARACTERS_MAX - MARK_CHARACTERS - 1)}_${getMark(markFor(index))}`,
  );
};

/** Numbers duplicates in the list of refused operations. */
const numbered = (keys: readonly string[]): readonly Keyed[] => {
  const counts = countsOf(keys);
  const taken = new Set(keys);
  const numbers = new Map<string, number>();
  return keys.map((key) => {
    if (counts.get(key) === 1) return { key, isTwin: false };
    let number = (numbers.get(key) ?? 0) + 1;
    while (taken.has(`${key}_${number}`)) number += 1;
    numbers.set(key, number);
    taken.add(`${key}_${number}`);
    return { key: `${key}_${number}`, isTwin: true };
  });
};

/**
 * Returns a unique key for each, in order. It depends on the operation alone and never on the order of the document, so that the next
 * version of
 * the document has the same: of several with one written name, none keeps it. A name may look like a marked key, so that marked keys
 * are checked once more.
 */
export const listUniqueKeys = (named: readonly NamedOperation[]): readonly Keyed[] => {
  const wanted = named.map(({ written }) => (written === '' ? '' : deriveOperationKey(written)));
  const counts = countsOf(wanted);
  const second = named.map(({ otherwise }, index) => {
    const key = wanted[index] ?? '';
    return key !== '' && counts.get(key) === 1 ? key : otherwise;
  });
  const getPlace = (index: number): string => named[index]?.place ?? '';
  const third = marked(second, getPlace);
  return numbered(marked(third, (index) => `${third[index]} ${getPlace(index)}`));
};
