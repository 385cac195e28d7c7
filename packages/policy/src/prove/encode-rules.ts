import type { PolicyCondition, PolicyRule } from '@svc/contract/policies/language.ts';
import { type Clauses, type Literal, newClauses, opposite } from '@svc/solver/clauses/clauses.ts';
import type { Fuel } from '@svc/solver/fuel.ts';
import { TRUE, UNKNOWN } from '../evaluation/outcome.ts';
import { planElements } from '../formula/elements.ts';
import { type AnalysedVersion, type Atom, type Formula, readFormulas, WRITTEN_IN_CURRENCY } from '../formula/formula.ts';
import { fieldsRead } from '../language/fields-read.ts';
import { isCatchAll } from '../language/is-catch-all.ts';
import { whyNeverKnown } from '../language/never-known.ts';
import { computeDomains } from './domains.ts';
import { addElementLinks, isWithin } from './element-links.ts';
import { type EncodedDomain, encodeDomains, type Truth } from './encode-domains.ts';
import { encodeMatch } from './encode-violation.ts';
import { addLinks } from './links.ts';
import type { ProofScope } from './place.ts';

/** Returns the paths of the elements that a formula reads. */
const findElements = (formula: Formula): string[] => {
  if (formula.kind === 'element') return [formula.name];
  if (formula.kind === 'not') return findElements(formula.part);
  return formula.kind === 'all' || formula.kind === 'any' ? formula.parts.flatMap(findElements) : [];
};

/** A rule and the currency of its amounts. */
export type WrittenRule = { readonly rule: PolicyRule; readonly currency: string };

/**
 * Clauses that every request of the scope fulfils, and for each rule the literal that is true exactly if the engine treats it as matching.
 */
export type EncodedRules = {
  readonly clauses: Clauses;
  readonly formulas: AnalysedVersion;
  /** Keyed by the numbers of the atoms; none for those on fields that are never known. */
  readonly truths: readonly (Truth | undefined)[];
  readonly encoded: readonly EncodedDomain[];
  readonly matches: readonly Literal[];
  /** Expanded elements of lists, by their paths, each with the literal that is true if the list has it. */
  readonly elements: ReadonlyMap<string, Literal>;
};

const comparesInSeveral = (rules: readonly WrittenRule[]): boolean =>
  new Set(rules.filter(({ rule }) => fieldsRead(rule.when).some((name) => WRITTEN_IN_CURRENCY.has(name))).map(({ currency }) => currency))
    .size > 1;

/**
 * The outcomes of conditions on a field that this version of the service never knows: as for a `missing` one, which is how every
 * request is decided, or `open`, independently, so that nothing is concluded from them.
 */
export type Unknowns = 'missing' | 'open';

/** Any of three outcomes. */
const anyTruth = (clauses: Clauses): Truth => {
  const truth = { isTrue: clauses.fresh(), isPossible: clauses.fresh() };
  clauses.add(opposite(truth.isTrue), truth.isPossible);
  return truth;
};

const whenMissing = ({ truth }: Clauses, atom: Atom): Truth => {
  const outcome = atom.judge(undefined);
  return { isTrue: outcome === TRUE ? truth : opposite(truth), isPossible: outcome >= UNKNOWN ? truth : opposite(truth) };
};

/** Encodes rules in clauses; null if there are more values than the budget allows, since nothing follows from a part of them. */
export const encodeRules = (
  rules: readonly WrittenRule[],
  place: Pick<ProofScope, 'bounds'>,
  fuel: Fuel,
  unknowns: Unknowns = 'missing',
): EncodedRules | null => {
  const currencies = comparesInSeveral(rules) ? rules.map(({ currency }) => currency) : [];
  const conditions = rules.flatMap(({ rule: { when } }) => (isCatchAll(when) ? [] : [when as PolicyCondition]));
  const formulas = readFormulas({ rules: rules.map(({ rule }) => rule) }, currencies, planElements(conditions));
  const clauses = newClauses();
  const domains = computeDomains(formulas.atoms, place, fuel);
  if (fuel.left < 0) return null;
  const { encoded, truths } = encodeDomains(clauses, domains, formulas.atoms);
  addLinks(clauses, encoded);
  const atomAt = (number: number): Truth => {
    const known = truths[number];
    if (known !== undefined) return known;
    const atom = formulas.atoms[number];
    if (atom === undefined || whyNeverKnown(atom.field.name) === undefined) throw new Error('an atom belongs to no field');
    return unknowns === 'open' ? anyTruth(clauses) : whenMissing(clauses, atom);
  };
  const groups = new Map<string, Truth>();
  const getGroup = (said: string): Truth => {
    const truth = groups.get(said) ?? anyTruth(clauses);
    groups.set(said, truth);
    return truth;
  };
  const elements = new Map<string, Literal>();
  const isThere = (name: string): Literal => {
    const literal = elements.get(name) ?? clauses.fresh();
    elements.set(name, literal);
    return literal;
  };
  // Formulas are read before, so that every element is known here.
  for (const { formula } of formulas.rules) for (const name of findElements(formula)) isThere(name);
  const isElement = (field: string): boolean => [...elements.keys()].some((name) => isWithin(field, name));
  const matches = formulas.rules.map((rule) =>
    encodeMatch(clauses, formulas, rule, { atomAt, groupOf: getGroup, isThere, isElement }, encoded),
  );
  addElementLinks(clauses, encoded, elements);
  return { clauses, formulas, truths, encoded, matches, elements };
};
