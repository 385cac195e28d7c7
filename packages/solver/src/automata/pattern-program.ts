import type { RE2JS } from 're2js';

/** One step of a compiled pattern, in the engine's own form [instruction of a Thompson NFA, run by RE2 as a Pike machine]. */
export type PatternStep = {
  readonly op: number;
  readonly out: number;
  readonly arg: number;
  readonly runes: ArrayLike<number>;
  readonly matchRune: (codePoint: number) => boolean;
};
export type PatternProgram = { readonly steps: readonly PatternStep[]; readonly start: number };

/** The engine's codes for kinds of steps. They are verified for its exact, pinned version only; a test checks both together. */
export const ALT = 1;
export const ALT_MATCH = 2;
export const CAPTURE = 3;
export const EMPTY_WIDTH = 4;
export const MATCH = 6;
export const NOP = 7;
export const RUNE = 8;
export const RUNE1 = 9;
export const RUNE_ANY = 10;
export const RUNE_ANY_NOT_NL = 11;
const KNOWN_MAX = RUNE_ANY_NOT_NL;

/** Returns the program by which the engine itself would search a text; null if it has an unknown step. */
export const readProgram = (pattern: RE2JS): PatternProgram | null => {
  const { prog } = pattern.re2Input as unknown as {
    readonly prog?: { readonly inst?: readonly PatternStep[]; readonly start?: number };
  };
  if (prog === undefined || !Array.isArray(prog.inst) || typeof prog.start !== 'number') return null;
  const isKnown = prog.inst.every(({ op }) => Number.isInteger(op) && op >= ALT && op <= KNOWN_MAX);
  return isKnown ? { steps: prog.inst, start: prog.start } : null;
};
