import type { Atom } from '../formula/formula.ts';
import { OPEN } from './choice.ts';

/** What conditions on one place say of a value, and of all others that they cannot tell from it; not `real` where no value is known. */
export type Found = {
  readonly outcomes: readonly number[];
  readonly value: unknown;
  readonly real: boolean;
  /** Whether it is a text too long to be searched for a pattern. */
  readonly tooLong: boolean;
};

export const judged = (atoms: readonly Atom[], value: unknown, tooLong = false): Found => ({
  outcomes: atoms.map((atom) => atom.judge(value)),
  value,
  real: true,
  tooLong,
});

/** What they say of the value but for some, of which nothing is foreseen. */
export const unforeseen = (atoms: readonly Atom[], value: unknown, isOpen: (atom: Atom) => boolean, tooLong = false): Found => ({
  outcomes: atoms.map((atom) => (isOpen(atom) ? OPEN : atom.judge(value))),
  value: undefined,
  real: false,
  tooLong,
});
