import { WORK } from '../evaluation/prices.ts';

/** Where text times piece is below this, the built-in search is fast whatever they hold. */
const NATIVE_WORK_MAX = 1_000_000;

/** For each place in the piece, how much of its beginning ends there (Knuth, Morris and Pratt). */
const borders = (piece: string): Uint16Array => {
  const table = new Uint16Array(piece.length);
  let length = 0;
  for (let place = 1; place < piece.length; place++) {
    while (length > 0 && piece.charCodeAt(place) !== piece.charCodeAt(length)) length = table[length - 1] ?? 0;
    if (piece.charCodeAt(place) === piece.charCodeAt(length)) length += 1;
    table[place] = length;
  }
  return table;
};

const search = (text: string, piece: string, table: Uint16Array): boolean => {
  let length = 0;
  for (let place = 0; place < text.length; place++) {
    const code = text.charCodeAt(place);
    while (length > 0 && code !== piece.charCodeAt(length)) length = table[length - 1] ?? 0;
    if (code === piece.charCodeAt(length)) length += 1;
    if (length === piece.length) return true;
  }
  return false;
};

/** `perCharacter` is what a character of a text of that length costs. */
export type IncludesText = { readonly found: (text: string) => boolean; readonly perCharacter: (length: number) => number };

/**
 * A test for a piece of text, of at most 65,535 units, whose time grows with the length of the text alone.
 * The built-in search can take text times piece, which a request could use to stall every other decision.
 */
export const compileIncludes = (piece: string): IncludesText => {
  let table: Uint16Array | null = null;
  const isNative = (length: number): boolean => length * piece.length <= NATIVE_WORK_MAX;
  return {
    found: (text) => {
      if (isNative(text.length)) return text.includes(piece);
      table ??= borders(piece);
      return search(text, piece, table);
    },
    perCharacter: (length) => (isNative(length) ? WORK.characterNative : WORK.character),
  };
};
