/** The cost of preparing a pattern, estimated from its text [static cost estimate of compiling a regular expression]. */
export type PatternScan = {
  /** Estimated upper bound on steps of the program; the program may be smaller. */
  readonly steps: number;
  /** Classes such as `\pL`, each of hundreds of ranges. */
  readonly unicodeClasses: number;
  /** Estimated microseconds of parsing and compiling. */
  readonly work: number;
};

/** Microseconds, measured; case folding a class takes every character of its ranges one by one. */
const WORK = { pattern: 30, step: 1.2, unicodeClass: 90, foldedUnicodeClass: 250, foldedCharacter: 0.03 };

/** The first and the last character that has another case; a range around all of them is not walked. */
const FOLDED = { first: 0x41, last: 0x1e943 };

type Frame = { size: number; last: number };
type Scan = { readonly source: string; at: number; readonly frames: Frame[]; unicode: number; characters: number; folds: boolean };

const FLAGS = /\(\?([a-zA-Z-]*)([:)])/y;
const GROUP = /\(\?P?<\w+>/y;
const REPEAT = /\{(\d+)(?:(,)(\d*))?\}/y;
const ESCAPE = /\\(?:[pP](?:\{[^}]*\}|[^{])|x(?:\{([0-9A-Fa-f]*)\}|([0-9A-Fa-f]{2}))|0?[0-7]{1,3}|Q|.)/suy;
const POSIX = /\[:\^?\w+:\]/y;

const match = (pattern: RegExp, scan: Scan): RegExpExecArray | null => {
  pattern.lastIndex = scan.at;
  const found = pattern.exec(scan.source);
  if (found !== null) scan.at += found[0].length;
  return found;
};

const addAtom = ({ frames }: Scan, size: number): void => {
  const frame = frames.at(-1) as Frame;
  frame.size += size;
  frame.last = size;
};

/** Multiplies the cost of a repeated part, written once and present `most` times, of which `choices` are optional. */
const repeat = ({ frames }: Scan, most: number, choices: number): void => {
  const frame = frames.at(-1) as Frame;
  const repeated = frame.last * most + choices;
  frame.size += repeated - frame.last;
  frame.last = repeated;
};

/** Reads one escape and returns its character; a class of characters counts as none. */
const readEscape = (scan: Scan): number => {
  const found = match(ESCAPE, scan);
  if (found === null) {
    scan.at += 1;
    return 0;
  }
  const [text, braced, plain] = found;
  if (/^\\[pP]/.test(text)) scan.unicode += 1;
  return Number.parseInt(braced ?? plain ?? '0', 16) || 0;
};

const readCharacter = (scan: Scan): number => {
  if (scan.source[scan.at] === '\\') return readEscape(scan);
  const code = scan.source.codePointAt(scan.at) ?? 0;
  scan.at += code > 0xffff ? 2 : 1;
  return code;
};

const walked = (low: number, high: number): number => {
  if (low <= FOLDED.first && high >= FOLDED.last) return 0;
  return Math.max(0, Math.min(high, FOLDED.last) - Math.max(low, FOLDED.first) + 1);
};

const readClass = (scan: Scan): void => {
  const { source } = scan;
  scan.at += source[scan.at + 1] === '^' ? 2 : 1;
  for (let first = true; scan.at < source.length && (first || source[scan.at] !== ']'); first = false) {
    if (match(POSIX, scan) !== null) continue;
    const low = readCharacter(scan);
    if (source[scan.at] !== '-' || source[scan.at + 1] === ']') continue;
    scan.at += 1;
    scan.characters += walked(low, readCharacter(scan));
  }
  scan.at += 1;
};

const readQuoted = (scan: Scan): void => {
  const end = scan.source.indexOf('\\E', scan.at);
  const until = end < 0 ? scan.source.length : end;
  for (; scan.at < until; scan.at += 1) addAtom(scan, 1);
  scan.at = end < 0 ? until : until + 2;
};

const readGroup = (scan: Scan): void => {
  const flags = match(FLAGS, scan);
  if (flags?.[1]?.includes('i')) scan.folds = true;
  if (flags?.[2] === ')') return;
  if (flags === null && match(GROUP, scan) === null) scan.at += 1;
  scan.frames.push({ size: 0, last: 0 });
};

const closeGroup = (scan: Scan): void => {
  scan.at += 1;
  if (scan.frames.length < 2) return;
  const { size } = scan.frames.pop() as Frame;
  addAtom(scan, size + 2);
};

const readRepeat = (scan: Scan): void => {
  const found = match(REPEAT, scan);
  if (found === null) {
    scan.at += 1;
    addAtom(scan, 1);
    return;
  }
  const least = Number(found[1]);
  const most = Number(found[3] || least + (found[2] === ',' ? 1 : 0));
  repeat(scan, Math.max(1, most), Math.max(1, most - least));
};

const readNext = (scan: Scan): void => {
  const { source, at } = scan;
  const next = source[at];
  if (next === '\\' && source[at + 1] === 'Q') {
    scan.at += 2;
    readQuoted(scan);
  } else if (next === '[') {
    readClass(scan);
    addAtom(scan, 1);
  } else if (next === '(') readGroup(scan);
  else if (next === ')') closeGroup(scan);
  else if (next === '*' || next === '+' || next === '?') {
    scan.at += 1;
    repeat(scan, 1, 1);
  } else if (next === '{') readRepeat(scan);
  else {
    readCharacter(scan);
    addAtom(scan, 1);
  }
};

/**
 * Estimates the cost of a pattern without compiling it, in time linear in its length. The text need not be a valid pattern: the compiler,
 * which runs afterwards, reports that.
 */
export const scanPattern = (source: string, ignoreCase: boolean): PatternScan => {
  const scan: Scan = { source, at: 0, frames: [{ size: 2, last: 0 }], unicode: 0, characters: 0, folds: ignoreCase };
  while (scan.at < source.length) readNext(scan);
  const steps = scan.frames.reduce((sum, { size }) => sum + size, 0);
  const unicodeWork = scan.unicode * (scan.folds ? WORK.foldedUnicodeClass : WORK.unicodeClass);
  const foldWork = scan.folds ? scan.characters * WORK.foldedCharacter : 0;
  return { steps, unicodeClasses: scan.unicode, work: Math.ceil(WORK.pattern + steps * WORK.step + unicodeWork + foldWork) };
};
