import { WORK } from '../evaluation/prices.ts';

/** If text times piece is below this, the built-in search is fast for any contents. */
const NATIVE_WORK_MAX = 1_000_000;

/** Returns the longest proper border at each position of the piece (Knuth, Morris and Pratt). */
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

/** `perCharacter` is the cost per character of a text of that length. */
export type IncludesText = { readonly found: (text: string) => boolean; readonly perCharacter: (length: number) => number };

/**
 * Compiles a search for a piece of text, of at most 65,535 units, in time linear in the length of the text.
 * The built-in search can take text times piece, which a request could use to stall all other decisions.
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
