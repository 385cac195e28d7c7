/** The outcome of a condition that cannot be predicted. */
export const OPEN = -1;

/** Mark of the choice in which only some elements of a list are known. No element has this text. */
export const PART = '\u0000part';

/** Values of one field, or of dependent fields, which the conditions cannot distinguish. */
export type Choice = {
  /** The engine's outcomes, in the order of the domain's atoms: an outcome, or OPEN. */
  readonly outcomes: readonly number[];
  /** A value of each field, undefined for none; null if no request with these outcomes is known. */
  readonly values: Readonly<Record<string, unknown>> | null;
  /** True if the value is a text too long to be searched for a pattern. */
  readonly tooLong: boolean;
  /** Distinguishes what another domain depends on, though the conditions do not. */
  readonly mark: string;
};

/**
 * `one`: a request is in exactly one of the choices. `many`: a path with a star leads to any number of values, each in one of them.
 * `list`: a list of texts, each choice an element it can contain.
 */
export type Domain = {
  readonly kind: 'one' | 'many' | 'list';
  readonly fields: readonly string[];
  /** The currency of an amount, if several are compared. */
  readonly currency: string | null;
  /** Atoms by number. */
  readonly atoms: readonly number[];
  readonly choices: readonly Choice[];
  /** True if a request can be without it; for `one` a choice states that itself. */
  readonly mayBeMissing: boolean;
};

/** Returns one choice of each kind, real ones before unreal ones. */
export const listDistinctChoices = (choices: readonly Choice[]): Choice[] => {
  const found = new Map<string, Choice>();
  for (const choice of choices) {
    const key = `${choice.outcomes.join()} ${choice.tooLong} ${choice.mark}`;
    const known = found.get(key);
    if (known === undefined || (known.values === null && choice.values !== null)) found.set(key, choice);
  }
  return [...found.values()];
};
