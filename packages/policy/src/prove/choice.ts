/** The outcome of a condition that cannot be foreseen. */
export const OPEN = -1;

/** Mark of the choice that only some elements of a list are known. No element is spelled so. */
export const PART = '\u0000part';

/** Values of one field, or of fields that depend on each other, which the conditions cannot tell apart. */
export type Choice = {
  /** What the engine says, in the order of the domain's atoms: an outcome, or OPEN. */
  readonly outcomes: readonly number[];
  /** A value of each field, undefined for none; null where no request is known that is judged so. */
  readonly values: Readonly<Record<string, unknown>> | null;
  /** Whether the value is a text too long to be searched for a pattern. */
  readonly tooLong: boolean;
  /** Tells apart what another domain depends on, though the conditions do not. */
  readonly mark: string;
};

/**
 * `one`: a request is in exactly one of the choices. `many`: a path with a star leads to any number of values, each in one of them.
 * `list`: a list of texts, each choice an element it can hold.
 */
export type Domain = {
  readonly kind: 'one' | 'many' | 'list';
  readonly fields: readonly string[];
  /** Of an amount, where several currencies are compared in. */
  readonly currency: string | null;
  /** By their numbers. */
  readonly atoms: readonly number[];
  readonly choices: readonly Choice[];
  /** Whether a request can be without it; of `one` a choice says so itself. */
  readonly mayBeMissing: boolean;
};

/** One of each kind, those that are real before those that are not. */
export const distinctChoices = (choices: readonly Choice[]): Choice[] => {
  const found = new Map<string, Choice>();
  for (const choice of choices) {
    const key = `${choice.outcomes.join()} ${choice.tooLong} ${choice.mark}`;
    const known = found.get(key);
    if (known === undefined || (known.values === null && choice.values !== null)) found.set(key, choice);
  }
  return [...found.values()];
};
