import { RE2JS } from 're2js';
import { EMPTY_WIDTH, type PatternStep, RUNE, RUNE_ANY, RUNE_ANY_NOT_NL, RUNE1 } from './pattern-program.ts';

/**
 * Characters that no step of a program distinguishes share a class; class `n` begins at `bounds[n]` [alphabet compression by equivalence
 * classes].
 */
export type CharacterClasses = { readonly bounds: Int32Array; readonly latin1: Uint16Array };

const CODES_END = 0x110000;
const NEWLINE = 10;
const FOLD_CASE = 1;
const LATIN1_END = 256;
/** Kelvin sign and long s, the only characters beyond ASCII that fold to a letter of it. */
const FOLDS_TO_ASCII: Readonly<Record<string, number>> = { k: 0x212a, s: 0x17f };

const foldedAlike = new Map<number, readonly number[]>();
const KEPT_MAX = 4_096;

/** Returns all case variants of a character, itself included, as the engine folds them. */
const listCases = (code: number): readonly number[] => {
  if (code < 128) {
    const text = String.fromCharCode(code);
    const [lower, upper] = [text.toLowerCase(), text.toUpperCase()];
    const more = FOLDS_TO_ASCII[lower];
    return [...new Set([lower.charCodeAt(0), upper.charCodeAt(0), ...(more === undefined ? [] : [more])])];
  }
  const known = foldedAlike.get(code);
  if (known !== undefined) return known;
  // In a class with another character, the engine lists all cases.
  const compiled = RE2JS.compile(`[\\x{0}\\x{${code.toString(16)}}]`, RE2JS.CASE_INSENSITIVE).re2Input as unknown as {
    readonly prog: { readonly inst: readonly PatternStep[] };
  };
  const runes = Array.from(compiled.prog.inst.find(({ op }) => op === RUNE || op === RUNE1)?.runes ?? []);
  const codes: number[] = [];
  for (let at = 0; at < runes.length; at += 2) {
    for (let one = runes[at] as number; one <= (runes[at + 1] as number); one += 1) if (one !== 0) codes.push(one);
  }
  if (foldedAlike.size >= KEPT_MAX) foldedAlike.clear();
  foldedAlike.set(code, codes);
  return codes;
};

/** Returns the characters that a step reads, as pairs of first and last. */
export const listRanges = ({ op, arg, runes }: PatternStep): ArrayLike<number> => {
  if (op === RUNE_ANY) return [0, CODES_END - 1];
  if (op === RUNE_ANY_NOT_NL) return [0, NEWLINE - 1, NEWLINE + 1, CODES_END - 1];
  const [only] = Array.from(runes.length === 1 ? runes : []);
  if (only === undefined) return runes;
  return (arg & FOLD_CASE) === 0 ? [only, only] : listCases(only).flatMap((code) => [code, code]);
};

/** Returns true if a step consumes a character. */
export const isReading = ({ op }: PatternStep): boolean => op >= RUNE && op <= RUNE_ANY_NOT_NL;

export const hasAssertions = (steps: readonly PatternStep[]): boolean => steps.some(({ op }) => op === EMPTY_WIDTH);

/** Returns the class of a character beyond Latin-1, by binary search. */
export const findClass = ({ bounds }: CharacterClasses, code: number): number => {
  let low = 0;
  let high = bounds.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((bounds[middle] as number) <= code) low = middle;
    else high = middle - 1;
  }
  return low;
};

export const characterClasses = (ranges: Iterable<ArrayLike<number>>): CharacterClasses => {
  const found = new Set<number>([0]);
  for (const one of ranges) {
    for (let at = 0; at < one.length; at += 2) {
      found.add(one[at] as number);
      found.add((one[at + 1] as number) + 1);
    }
  }
  found.delete(CODES_END);
  const bounds = Int32Array.from(found).sort();
  const classes: CharacterClasses = { bounds, latin1: new Uint16Array(LATIN1_END) };
  for (let code = 0; code < LATIN1_END; code += 1) classes.latin1[code] = findClass(classes, code);
  return classes;
};
