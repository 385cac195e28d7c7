import { type BoundarySide, classifySide, EDGE } from './boundaries.ts';
import { findClass } from './character-classes.ts';
import type { Follow } from './position-sets.ts';
import type { SearchTables } from './search-text.ts';

/** The follow set of any eight positions, as two words [bit-parallel NFA whose states fit in a machine word, as in Shift-And]. */
type ByteTables = { readonly start0: number; readonly start1: number; readonly low: Int32Array; readonly high: Int32Array };

const ROWS = 256;
const BYTES = 8;
const SIDES = 4;

/** Splits every set of a byte into its lower four positions and its upper four. */
const byteTables = ({ start, first, span, offset, rows }: Follow): ByteTables => {
  const [low, high] = [new Int32Array(ROWS * BYTES), new Int32Array(ROWS * BYTES)];
  const add = (place: number, chunk: number, row: number): void => {
    const width = span[chunk] ?? 0;
    for (let at = 0; at < width; at += 1) {
      const table = (first[chunk] as number) + at === 0 ? low : high;
      (table[place] as number) |= rows[(offset[chunk] as number) + row * width + at] as number;
    }
  };
  for (let byte = 0; byte * 2 < first.length; byte += 1) {
    for (let row = 1; row < ROWS; row += 1) {
      add(byte * ROWS + row, byte * 2, row & 15);
      add(byte * ROWS + row, byte * 2 + 1, row >> 4);
    }
  }
  return { start0: start[0] ?? 0, start1: start[1] ?? 0, low, high };
};

/** Returns the positions that follow a word of positions, in one of their two words. */
const after = (table: Int32Array, word: number, from: number): number =>
  (table[from + (word & 255)] as number) |
  (table[from + ROWS + ((word >>> 8) & 255)] as number) |
  (table[from + 2 * ROWS + ((word >>> 16) & 255)] as number) |
  (table[from + 3 * ROWS + (word >>> 24)] as number);

const SECOND = 4 * ROWS;

/** Returns the same search for patterns of at most 63 positions, without a loop over words. */
export const newSmallSearch = ({ sets, classes, masks, end }: SearchTables): ((text: string) => boolean) => {
  const { isBound, words } = sets;
  const tables = new Map<Follow, ByteTables>();
  for (const one of sets.at) if (!tables.has(one)) tables.set(one, byteTables(one));
  const places = sets.at.map((one) => tables.get(one) as ByteTables);
  const anywhere = places[0] as ByteTables;
  const { latin1 } = classes;
  const [end0, end1] = end < 32 ? [1 << end, 0] : [0, 1 << (end - 32)];
  return (text) => {
    let read0 = 0;
    let read1 = 0;
    let before: BoundarySide = EDGE;
    for (let at = 0; ; ) {
      const isEnd = at >= text.length;
      const code = isEnd ? 0 : (text.codePointAt(at) as number);
      const next = isBound && !isEnd ? classifySide(code) : EDGE;
      const { start0, start1, low, high } = isBound ? (places[before * SIDES + next] as ByteTables) : anywhere;
      let next0 = start0;
      let next1 = start1;
      if (read0 !== 0) {
        next0 |= after(low, read0, 0);
        next1 |= after(high, read0, 0);
      }
      if (read1 !== 0) {
        next0 |= after(low, read1, SECOND);
        next1 |= after(high, read1, SECOND);
      }
      if ((next0 & end0) !== 0 || (next1 & end1) !== 0) return true;
      if (isEnd) return false;
      at += code > 0xffff ? 2 : 1;
      const mask = (code < latin1.length ? (latin1[code] as number) : findClass(classes, code)) * words;
      read0 = next0 & (masks[mask] as number);
      read1 = words === 1 ? 0 : next1 & (masks[mask + 1] as number);
      before = next;
    }
  };
};
