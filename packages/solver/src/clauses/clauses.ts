/** A yes-or-no question, `2v`, or its opposite, `2v + 1` [literals of a formula in conjunctive normal form, CNF]. */
export type Literal = number;

export const opposite = (literal: Literal): Literal => literal ^ 1;

/** What has to hold: of each clause at least one literal. */
export type Clauses = {
  readonly fresh: () => Literal;
  readonly add: (...literals: readonly Literal[]) => void;
  /** A literal that always holds. */
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

/** A literal that holds when all do [Tseitin encoding]. */
export const allOf = (clauses: Clauses, literals: readonly Literal[]): Literal => {
  const [only] = literals;
  if (only === undefined) return clauses.truth;
  if (literals.length === 1) return only;
  const all = clauses.fresh();
  for (const literal of literals) clauses.add(opposite(all), literal);
  clauses.add(all, ...literals.map(opposite));
  return all;
};

/** A literal that holds when any does. */
export const anyOf = (clauses: Clauses, literals: readonly Literal[]): Literal => opposite(allOf(clauses, literals.map(opposite)));

/** No two of them hold, by a ladder, so that the clauses grow with their number alone [sequential encoding of at-most-one, Sinz]. */
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
