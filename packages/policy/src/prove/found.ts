import type { Atom } from '../formula/formula.ts';
import { OPEN } from './choice.ts';

/** Outcomes of conditions on one position for a value, and for all others that they cannot distinguish; not `real` if no value is known. */
export type FoundValue = {
  readonly outcomes: readonly number[];
  readonly value: unknown;
  readonly real: boolean;
  /** True if it is a text too long to be searched for a pattern. */
  readonly tooLong: boolean;
};

export const judged = (atoms: readonly Atom[], value: unknown, tooLong = false): FoundValue => ({
  outcomes: atoms.map((atom) => atom.judge(value)),
  value,
  real: true,
  tooLong,
});

/** Returns the outcomes for the value, except for atoms that cannot be predicted. */
export const unforeseen = (atoms: readonly Atom[], value: unknown, isOpen: (atom: Atom) => boolean, tooLong = false): FoundValue => ({
  outcomes: atoms.map((atom) => (isOpen(atom) ? OPEN : atom.judge(value))),
  value: undefined,
  real: false,
  tooLong,
});
