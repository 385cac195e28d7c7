/** Pairs of a first and a last code point, ascending. */
export type CodeRanges = readonly (readonly [first: number, last: number])[];

const CODES_MAX = 0x10ffff;

const LINE_TERMINATORS: CodeRanges = [
  [0xa, 0xa],
  [0xd, 0xd],
  [0x2028, 0x2029],
];

/** White space and line terminators of ECMA-262, as matched by `\s` there. RE2 knows only the five of ASCII without U+000B. */
const SPACES: CodeRanges = [
  [0x9, 0xd],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
];

const complement = (ranges: CodeRanges): CodeRanges => {
  const starts = [0, ...ranges.map(([, last]) => last + 1)];
  return starts.flatMap((first, index) => {
    const last = (ranges[index]?.[0] ?? CODES_MAX + 1) - 1;
    return first > last ? [] : [[first, last] as const];
  });
};

/** Returns a character as RE2 reads it literally, inside and outside of a class. */
export const writeCode = (code: number): string => {
  const character = String.fromCodePoint(code);
  return /^[0-9A-Za-z]$/.test(character) ? character : `\\x{${code.toString(16)}}`;
};

const writeRanges = (ranges: CodeRanges): string =>
  ranges.map(([first, last]) => (first === last ? writeCode(first) : `${writeCode(first)}-${writeCode(last)}`)).join('');

/** Members of an RE2 class, without its brackets. */
export const CLASS_MEMBERS = {
  line: writeRanges(LINE_TERMINATORS),
  space: writeRanges(SPACES),
  notSpace: writeRanges(complement(SPACES)),
  all: `\\x{0}-\\x{${CODES_MAX.toString(16)}}`,
} as const;
