import { type BoundarySide, classifySide, EDGE } from './boundaries.ts';
import { type CharacterClasses, characterClasses, findClass, listRanges } from './character-classes.ts';
import type { PatternProgram } from './pattern-program.ts';
import { type Follow, type PositionSets, positionSets } from './position-sets.ts';
import { newSmallSearch } from './small-search.ts';

/** A search that reads each character of a text once [bit-parallel simulation of a Glushkov NFA]. */
export type TextSearch = {
  readonly found: (text: string) => boolean;
  /** Estimated upper bound, in nanoseconds per character. */
  readonly perCharacter: number;
  /** Estimated size of its tables. */
  readonly bytes: number;
};

/** Maximum number of character classes of one pattern. */
const CLASSES_MAX = 8_192;
/**
 * Nanoseconds, measured: of a character and each of at most two words; of larger ones of a character, of a word of the set, of a looked-up
 * chunk and of each word it adds.
 */
const PRICE = { small: 11, character: 12, word: 3, chunk: 1.2, reached: 1 };
const CHUNKS_PER_WORD = 8;
const SMALL_WORDS = 2;
const SMALL_BYTES = 16_500;
const SIDES = 4;

/** Returns the positions that read the characters of each class. */
const getMasks = (program: PatternProgram, positions: readonly number[], words: number) => {
  const ranges = new Map<ArrayLike<number>, number[]>();
  const spelled = new Map<string, ArrayLike<number>>();
  for (const [position, place] of positions.entries()) {
    const read = listRanges(program.steps[place] as PatternProgram['steps'][number]);
    const key = Array.from(read).join();
    const known = spelled.get(key) ?? read;
    spelled.set(key, known);
    const readers = ranges.get(known);
    if (readers === undefined) ranges.set(known, [position]);
    else readers.push(position);
  }
  const classes = characterClasses(ranges.keys());
  const count = classes.bounds.length;
  if (count * words > CLASSES_MAX * 2 || count > CLASSES_MAX) return null;
  const masks = new Int32Array(count * words);
  for (const [read, readers] of ranges) {
    const bits = new Int32Array(words);
    for (const position of readers) (bits[position >> 5] as number) |= 1 << (position & 31);
    for (let at = 0; at < read.length; at += 2) {
      const high = read[at + 1] as number;
      for (let one = findClass(classes, read[at] as number); one < count && (classes.bounds[one] as number) <= high; one += 1) {
        for (let word = 0; word < words; word += 1) (masks[one * words + word] as number) |= bits[word] as number;
      }
    }
  }
  return { classes, masks };
};

/** Adds to `next` the positions that follow those in `read`. */
const follow = (next: Int32Array, read: Int32Array, { first, span, offset, rows }: Follow): void => {
  for (let word = 0; word < read.length; word += 1) {
    let bits = read[word] as number;
    for (let chunk = word * CHUNKS_PER_WORD; bits !== 0; chunk += 1, bits >>>= 4) {
      const row = bits & 15;
      if (row === 0) continue;
      const width = span[chunk] as number;
      const from = (offset[chunk] as number) + row * width;
      const to = first[chunk] as number;
      for (let at = 0; at < width; at += 1) (next[to + at] as number) |= rows[from + at] as number;
    }
  }
};

const isAt = (set: Int32Array, position: number): boolean => (((set[position >> 5] as number) >>> (position & 31)) & 1) === 1;

export type SearchTables = {
  readonly sets: PositionSets;
  readonly classes: CharacterClasses;
  readonly masks: Int32Array;
  readonly end: number;
};

const newSearch = ({ sets, classes, masks, end }: SearchTables): TextSearch['found'] => {
  const { words, isBound, at: places } = sets;
  const anywhere = places[0] as Follow;
  const [read, next] = [new Int32Array(words), new Int32Array(words)];
  const { latin1 } = classes;
  return (text) => {
    read.fill(0);
    let before: BoundarySide = EDGE;
    for (let at = 0; at < text.length; ) {
      const code = text.codePointAt(at) as number;
      at += code > 0xffff ? 2 : 1;
      const after = isBound ? classifySide(code) : EDGE;
      const following = isBound ? (places[before * SIDES + after] as Follow) : anywhere;
      for (let word = 0; word < words; word += 1) next[word] = following.start[word] as number;
      follow(next, read, following);
      if (isAt(next, end)) return true;
      const mask = (code < latin1.length ? (latin1[code] as number) : findClass(classes, code)) * words;
      for (let word = 0; word < words; word += 1) read[word] = (next[word] as number) & (masks[mask + word] as number);
      before = after;
    }
    const last = isBound ? (places[before * SIDES + EDGE] as Follow) : anywhere;
    next.set(last.start);
    follow(next, read, last);
    return isAt(next, end);
  };
};

const getBytes = ({ start, first, offset, rows }: Follow): number => 4 * (start.length + first.length + offset.length + rows.length) + 500;

/**
 * Compiles a program to a search: all ways to read a text are followed at once as bits of one set, so that no text makes a character more
 * expensive than another, and nothing of a text is remembered. Null if the pattern distinguishes too many characters.
 */
export const compileSearch = (program: PatternProgram): TextSearch | null => {
  const sets = positionSets(program);
  const read = sets && getMasks(program, sets.positions, sets.words);
  if (!sets || !read) return null;
  const tables: SearchTables = { sets, ...read, end: sets.positions.length };
  const isSmall = sets.words <= SMALL_WORDS;
  const reached = Math.max(...sets.at.map(({ span }) => span.reduce((sum, words) => sum + words, 0)));
  const used = Math.ceil(sets.positions.length / 4);
  const bytes = [...new Set(sets.at)].reduce((sum, one) => sum + getBytes(one), 0);
  return {
    found: isSmall ? newSmallSearch(tables) : newSearch(tables),
    perCharacter: isSmall
      ? PRICE.small * sets.words
      : Math.ceil(PRICE.character + sets.words * PRICE.word + used * PRICE.chunk + reached * PRICE.reached),
    bytes: bytes + (isSmall ? SMALL_BYTES * new Set(sets.at).size : 0) + 4 * (read.masks.length + read.classes.bounds.length) + 1_000,
  };
};
