import { atMostOne, type Clauses, encodeAll, encodeAny, type Literal, opposite } from '@svc/solver/clauses/clauses.ts';
import { TRUE, UNKNOWN } from '../evaluation/outcome.ts';
import type { Atom } from '../formula/formula.ts';
import { type Choice, type Domain, OPEN, PART } from './choice.ts';

/** Literals for an atom being true, and being true or unknown. */
export type Truth = { readonly isTrue: Literal; readonly isPossible: Literal };

export type EncodedDomain = {
  readonly domain: Domain;
  /** One literal for each choice. */
  readonly chosen: readonly Literal[];
  /** True if the request is without the field; null if it never is. */
  readonly missing: Literal | null;
  /** True if it contains a text that is too long for patterns; null if none can. */
  readonly tooLong: Literal | null;
};

type Ways = { readonly is: readonly Literal[]; readonly isNot: readonly Literal[]; readonly open: boolean };

const getWays = (choices: readonly Choice[], chosen: readonly Literal[], place: number, from: number): Ways => {
  const is: Literal[] = [];
  const isNot: Literal[] = [];
  let open = false;
  for (const [index, { outcomes }] of choices.entries()) {
    const outcome = outcomes[place] ?? OPEN;
    const literal = chosen[index] ?? 0;
    if (outcome === OPEN) open = true;
    else (outcome >= from ? is : isNot).push(literal);
  }
  return { is, isNot, open };
};

/** Exactly one choice is taken, and it determines the atom, unless it leaves it open. Encodes the smaller of both sides. */
const settledByOne = (clauses: Clauses, { is, isNot, open }: Ways): Literal => {
  if (!open) return is.length <= isNot.length ? encodeAny(clauses, is) : opposite(encodeAny(clauses, isNot));
  const settled = clauses.fresh();
  for (const literal of is) clauses.add(opposite(literal), settled);
  for (const literal of isNot) clauses.add(opposite(literal), opposite(settled));
  return settled;
};

/** Possible means true or unknown; few choices are unknown. */
const possibleByOne = (
  clauses: Clauses,
  choices: readonly Choice[],
  chosen: readonly Literal[],
  place: number,
  isTrue: Literal,
): Literal => {
  const ways = getWays(choices, chosen, place, UNKNOWN);
  if (ways.open) return settledByOne(clauses, ways);
  return encodeAny(clauses, [isTrue, ...chosen.filter((_, index) => choices[index]?.outcomes[place] === UNKNOWN)]);
};

const encodeOne = (clauses: Clauses, domain: Domain, truths: Truth[]): EncodedDomain => {
  const { choices, atoms } = domain;
  const chosen = choices.map(() => clauses.fresh());
  clauses.add(...chosen);
  atMostOne(clauses, chosen);
  for (const [place, atom] of atoms.entries()) {
    const isTrue = settledByOne(clauses, getWays(choices, chosen, place, TRUE));
    const isPossible = possibleByOne(clauses, choices, chosen, place, isTrue);
    clauses.add(opposite(isTrue), isPossible);
    truths[atom] = { isTrue, isPossible };
  }
  const where = (holds: (choice: Choice) => boolean): Literal | null => {
    const literals = chosen.filter((_, index) => holds(choices[index] as Choice));
    return literals.length === 0 ? null : encodeAny(clauses, literals);
  };
  return { domain, chosen, missing: where(({ mark }) => mark === 'missing'), tooLong: where(({ tooLong }) => tooLong) };
};

/** Any choices are taken, or none: for `any` the maximum counts, for `all` the minimum. An open choice may have either outcome. */
const encodeMany = (clauses: Clauses, domain: Domain, judges: readonly Atom[], truths: Truth[]): EncodedDomain => {
  const { choices, atoms } = domain;
  const chosen = choices.map(() => clauses.fresh());
  for (const [place, atom] of atoms.entries()) {
    const isAny = (judges[atom]?.condition.quantifier ?? 'any') === 'any';
    const settle = (from: number): Literal => {
      const { is, isNot } = getWays(choices, chosen, place, from);
      const open = chosen.flatMap((literal, index) =>
        choices[index]?.outcomes[place] === OPEN ? [encodeAll(clauses, [literal, clauses.fresh()])] : [],
      );
      return isAny ? encodeAny(clauses, [...is, ...open]) : opposite(encodeAny(clauses, [...isNot, ...open]));
    };
    const isTrue = settle(TRUE);
    const isPossible = settle(UNKNOWN);
    clauses.add(opposite(isTrue), isPossible);
    truths[atom] = { isTrue, isPossible };
  }
  const long = chosen.filter((_, index) => choices[index]?.tooLong);
  // Evaluation stops after the deciding element, so that a later text may or may not be read.
  const tooLong = long.length === 0 ? null : encodeAll(clauses, [encodeAny(clauses, long), clauses.fresh()]);
  return { domain, chosen, missing: null, tooLong };
};

/** Elements of a list, each present or not. */
const encodeList = (clauses: Clauses, domain: Domain, judges: readonly Atom[], truths: Truth[]): EncodedDomain => {
  const chosen = domain.choices.map(() => clauses.fresh());
  const missing = domain.mayBeMissing ? clauses.fresh() : null;
  const there = missing === null ? clauses.truth : opposite(missing);
  for (const literal of chosen) clauses.add(opposite(literal), there);
  // No element of a partly known list is known to be missing.
  const part = chosen[domain.choices.findIndex(({ mark }) => mark === PART)] ?? opposite(clauses.truth);
  for (const atom of domain.atoms) {
    const { op, value } = judges[atom]?.condition ?? {};
    if (op === 'exists' || op === 'not_exists') {
      const holds = op === 'exists' ? there : opposite(there);
      truths[atom] = { isTrue: holds, isPossible: holds };
      continue;
    }
    const has = chosen[domain.choices.findIndex(({ mark }) => mark === value)] ?? opposite(clauses.truth);
    truths[atom] =
      op === 'contains'
        ? { isTrue: encodeAll(clauses, [there, has]), isPossible: encodeAny(clauses, [opposite(there), has, part]) }
        : {
            isTrue: encodeAll(clauses, [there, opposite(has), opposite(part)]),
            isPossible: encodeAny(clauses, [opposite(there), opposite(has)]),
          };
  }
  return { domain, chosen, missing, tooLong: null };
};

/** Encodes the possible values of the fields in clauses; `truths` receives each atom's literals by its number. */
export const encodeDomains = (
  clauses: Clauses,
  domains: readonly Domain[],
  judges: readonly Atom[],
): { readonly encoded: EncodedDomain[]; readonly truths: readonly Truth[] } => {
  const truths: Truth[] = [];
  const encoded = domains.map((domain) => {
    if (domain.kind === 'one') return encodeOne(clauses, domain, truths);
    return domain.kind === 'many' ? encodeMany(clauses, domain, judges, truths) : encodeList(clauses, domain, judges, truths);
  });
  return { encoded, truths };
};
