/** A variable, `2v`, or its negation, `2v + 1` [literals of a formula in conjunctive normal form, CNF]. */
export type Literal = number;

export const opposite = (literal: Literal): Literal => literal ^ 1;

/** A formula: at least one literal of each clause must hold. */
export type Clauses = {
  readonly fresh: () => Literal;
  readonly add: (...literals: readonly Literal[]) => void;
  /** A literal that is always true. */
  readonly truth: Literal;
  readonly list: readonly (readonly Literal[])[];
  readonly variables: () => number;
};

export const newClauses = (): Clauses => {
  const list: (readonly Literal[])[] = [[0]];
  let variables = 1;
  const fresh = (): Literal => 2 * variables++;
  return { fresh, add: (...literals) => void list.push(literals), truth: 0, list, variables: () => variables };
};

/** Returns a literal that is true if all are [Tseitin encoding]. */
export const encodeAll = (clauses: Clauses, literals: readonly Literal[]): Literal => {
  const [only] = literals;
  if (only === undefined) return clauses.truth;
  if (literals.length === 1) return only;
  const all = clauses.fresh();
  for (const literal of literals) clauses.add(opposite(all), literal);
  clauses.add(all, ...literals.map(opposite));
  return all;
};

/** Returns a literal that is true if any is. */
export const encodeAny = (clauses: Clauses, literals: readonly Literal[]): Literal => opposite(encodeAll(clauses, literals.map(opposite)));

/** Adds clauses by which at most one holds; their number grows linearly [sequential encoding of at-most-one, Sinz]. */
export const atMostOne = (clauses: Clauses, literals: readonly Literal[]): void => {
  let before: Literal | null = null;
  for (const literal of literals) {
    const upTo = clauses.fresh();
    clauses.add(opposite(literal), upTo);
    if (before !== null) {
      clauses.add(opposite(before), upTo);
      clauses.add(opposite(before), opposite(literal));
    }
    before = upTo;
  }
};
