/** Zero-width assertions between two characters, as the engine's steps name them: ^, $, \A, \z, \b, \B. */
const BEGIN_LINE = 1;
const END_LINE = 2;
const BEGIN_TEXT = 4;
const END_TEXT = 8;
const WORD_BOUNDARY = 16;
const NO_WORD_BOUNDARY = 32;

const NEWLINE = 10;

/** The kind of character on one side of a position. */
export const EDGE = 0;
export const LINE_END = 1;
export const WORD = 2;
export const OTHER = 3;
export type BoundarySide = typeof EDGE | typeof LINE_END | typeof WORD | typeof OTHER;

const isWord = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95;

export const classifySide = (code: number): BoundarySide => (code === NEWLINE ? LINE_END : isWord(code) ? WORD : OTHER);

/** Returns all conditions that hold between two sides of a position. */
export const conditionsBetween = (before: BoundarySide, after: BoundarySide): number =>
  (before === EDGE ? BEGIN_TEXT | BEGIN_LINE : before === LINE_END ? BEGIN_LINE : 0) |
  (after === EDGE ? END_TEXT | END_LINE : after === LINE_END ? END_LINE : 0) |
  ((before === WORD) === (after === WORD) ? NO_WORD_BOUNDARY : WORD_BOUNDARY);
