import { conditionsBetween, EDGE, LINE_END, OTHER, WORD } from './boundaries.ts';
import { hasAssertions, isReading } from './character-classes.ts';
import { ALT, ALT_MATCH, CAPTURE, EMPTY_WIDTH, MATCH, NOP, type PatternProgram } from './pattern-program.ts';

/** Positions per chunk: the follow sets of its 16 subsets are looked up in one row [follow sets of a Glushkov automaton]. */
const CHUNK = 4;
const ROWS = 1 << CHUNK;

/**
 * The positions that can be read next, for one kind of position in a text: from the beginning of the pattern, and after each set of
 * positions.
 * Sets are bits; the last position is the end of the pattern. Each chunk keeps only the words that it reaches.
 */
export type Follow = {
  readonly start: Int32Array;
  readonly first: Uint16Array;
  readonly span: Uint16Array;
  readonly offset: Uint32Array;
  readonly rows: Int32Array;
};

export type PositionSets = {
  /** Indexes of the reading steps in the program. */
  readonly positions: readonly number[];
  readonly words: number;
  /** True if the characters before and after a position matter. */
  readonly isBound: boolean;
  readonly at: readonly Follow[];
};

type Reached = readonly number[];

const newReach = ({ steps }: PatternProgram, positionOf: ReadonlyMap<number, number>, walk: { left: number }) => {
  const seen = new Uint32Array(steps.length);
  let round = 0;
  return (from: number, holds: number): Reached => {
    round += 1;
    const reached: number[] = [];
    const open = [from];
    for (let place = open.pop(); place !== undefined && walk.left >= 0; place = open.pop()) {
      const step = steps[place];
      if (step === undefined || seen[place] === round) continue;
      walk.left -= 1;
      seen[place] = round;
      if (step.op === MATCH) reached.push(positionOf.size);
      else if (isReading(step)) reached.push(positionOf.get(place) as number);
      else if (step.op === ALT || step.op === ALT_MATCH) open.push(step.out, step.arg);
      else if (step.op === NOP || step.op === CAPTURE) open.push(step.out);
      else if (step.op === EMPTY_WIDTH && (step.arg & ~holds) === 0) open.push(step.out);
    }
    return reached;
  };
};

const asBits = (reached: Reached, words: number): Int32Array => {
  const bits = new Int32Array(words);
  for (const position of reached) (bits[position >> 5] as number) |= 1 << (position & 31);
  return bits;
};

const getRows = (followers: readonly Reached[], first: number, span: number): Int32Array => {
  const rows = new Int32Array(ROWS * span);
  for (let row = 1; row < ROWS; row += 1) {
    const bit = 31 - Math.clz32(row);
    const rest = row & ~(1 << bit);
    for (let word = 0; word < span; word += 1) rows[row * span + word] = rows[rest * span + word] as number;
    for (const position of followers[bit] ?? []) (rows[row * span + (position >> 5) - first] as number) |= 1 << (position & 31);
  }
  return rows;
};

const buildFollow = (start: Int32Array, followers: readonly Reached[], chunks: number): Follow => {
  const [first, span, offset] = [new Uint16Array(chunks), new Uint16Array(chunks), new Uint32Array(chunks)];
  const parts: Int32Array[] = [];
  let length = 0;
  for (let chunk = 0; chunk < chunks; chunk += 1) {
    const own = followers.slice(chunk * CHUNK, (chunk + 1) * CHUNK);
    const reached = own.flat().map((position) => position >> 5);
    const low = reached.length === 0 ? 0 : Math.min(...reached);
    first[chunk] = low;
    const width = reached.length === 0 ? 0 : Math.max(...reached) - low + 1;
    span[chunk] = width;
    offset[chunk] = length;
    const rows = getRows(own, low, width);
    parts.push(rows);
    length += rows.length;
  }
  const rows = new Int32Array(length);
  for (const [chunk, part] of parts.entries()) rows.set(part, offset[chunk]);
  return { start, first, span, offset, rows };
};

/** The kinds of sides of a position: four before it and four after it. */
const SIDES = [EDGE, LINE_END, WORD, OTHER] as const;
/** Maximum number of steps walked to compute the follow sets; a few milliseconds. */
const WALKED_MAX = 200_000;

/**
 * Returns the follow sets for each kind of position, `before * 4 + after`; kinds that the program does not distinguish share one. Null
 * beyond the bound.
 */
const followAtEach = (program: PatternProgram, positions: readonly number[], words: number): readonly Follow[] | null => {
  const positionOf = new Map(positions.map((place, position) => [place, position]));
  const walk = { left: WALKED_MAX };
  const reach = newReach(program, positionOf, walk);
  const asked = program.steps.reduce((flags, { op, arg }) => (op === EMPTY_WIDTH ? flags | arg : flags), 0);
  const known = new Map<number, Follow>();
  const at: Follow[] = [];
  for (const before of SIDES) {
    for (const after of SIDES) {
      const holds = conditionsBetween(before, after) & asked;
      const followers = known.has(holds) ? [] : positions.map((place) => reach(program.steps[place]?.out ?? 0, holds));
      const built = known.get(holds) ?? buildFollow(asBits(reach(program.start, holds), words), followers, words * (32 / CHUNK));
      if (walk.left < 0) return null;
      known.set(holds, built);
      at.push(built);
    }
  }
  return at;
};

/** Returns the reading steps of a program and their follow sets; null if computing them takes too long. */
export const positionSets = (program: PatternProgram): PositionSets | null => {
  const positions = program.steps.flatMap((step, place) => (isReading(step) ? [place] : []));
  const words = (positions.length >> 5) + 1;
  const at = followAtEach(program, positions, words);
  return at && { positions, words, isBound: hasAssertions(program.steps), at };
};
