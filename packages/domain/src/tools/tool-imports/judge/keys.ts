const PARTS = /[^a-z0-9]+/g;
/** Of the key alone: its source and a dot stand before it. */
const KEY_CHARACTERS_MAX = 66;
const MARK_CHARACTERS = 8;

/** A number of 40 bits that stands for a text [FNV-1a, two halves], as eight characters. It only tells names apart. */
const markOf = (text: string): string => {
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
export const keyOf = (written: string): string => {
  const text = written.slice(0, 1_000);
  const key = text
    .replace(WORD_STARTS, '$1$3_$2$4')
    .toLowerCase()
    .replace(PARTS, '_')
    .replace(/^_+|_+$/g, '');
  if (key === '') return `op_${markOf(text)}`;
  return key.length <= KEY_CHARACTERS_MAX ? key : `${key.slice(0, KEY_CHARACTERS_MAX - MARK_CHARACTERS - 1)}_${markOf(text)}`;
};

/** What one operation may be called by: as it is written, or by where it stands. */
export type Named = { readonly written: string; readonly otherwise: string; readonly place: string };

/**
 * A key for each, in order. It depends on the operation alone and never on the order of the document, so that the next version of the
 * document has the same: of several with one written name, none has it.
 */
export const uniqueKeys = (named: readonly Named[]): readonly string[] => {
  const wanted = named.map(({ written }) => (written === '' ? '' : keyOf(written)));
  const counts = new Map<string, number>();
  for (const key of wanted) counts.set(key, (counts.get(key) ?? 0) + 1);
  const second = named.map(({ otherwise }, index) =>
    wanted[index] !== '' && counts.get(wanted[index] ?? '') === 1 ? (wanted[index] ?? '') : otherwise,
  );
  const seconds = new Map<string, number>();
  for (const key of second) seconds.set(key, (seconds.get(key) ?? 0) + 1);
  return second.map((key, index) =>
    seconds.get(key) === 1 ? key : `${key.slice(0, KEY_CHARACTERS_MAX - MARK_CHARACTERS - 1)}_${markOf(named[index]?.place ?? '')}`,
  );
};
