import type { RE2JS } from 're2js';

/** One step of a compiled pattern, as the engine itself keeps it [instruction of a Thompson NFA, run by RE2 as a Pike machine]. */
export type Step = {
  readonly op: number;
  readonly out: number;
  readonly arg: number;
  readonly runes: ArrayLike<number>;
  readonly matchRune: (codePoint: number) => boolean;
};
export type PatternProgram = { readonly steps: readonly Step[]; readonly start: number };

/** Numbers of the engine for the kinds of steps. Only its exact, pinned version is known to count so; a test holds both together. */
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

/** The very program by which the engine would search a text; null where it holds a step that is not known here. */
export const programOf = (pattern: RE2JS): PatternProgram | null => {
  const { prog } = pattern.re2Input as unknown as {
    readonly prog?: { readonly inst?: readonly Step[]; readonly start?: number };
  };
  if (prog === undefined || !Array.isArray(prog.inst) || typeof prog.start !== 'number') return null;
  const isKnown = prog.inst.every(({ op }) => Number.isInteger(op) && op >= ALT && op <= KNOWN_MAX);
  return isKnown ? { steps: prog.inst, start: prog.start } : null;
};
