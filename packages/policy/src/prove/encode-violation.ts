import type { Effect } from '@svc/contract/tables/vocabulary.ts';
import { type Clauses, encodeAll, encodeAny, type Literal, opposite } from '@svc/solver/clauses/clauses.ts';
import { type AnalysedRule, type AnalysedVersion, type Formula, searchesElements } from '../formula/formula.ts';
import { permits, strictness } from '../language/effects.ts';
import type { EncodedDomain, Truth } from './encode-domains.ts';
import type { Invariant } from './invariant.ts';

/** The known truths of conditions at one position of one rule. */
export type Truths = {
  readonly atomAt: (atom: number) => Truth;
  /** The truth of a group that is not analysed, by its text: the same for equal texts. */
  readonly groupOf: (said: string) => Truth;
  /** Returns a literal for the presence of an element, by its path. */
  readonly isThere: (name: string) => Literal;
  /** Returns true if a field is read from an element of a list. */
  readonly isElement: (field: string) => boolean;
};

const getTruth = (clauses: Clauses, formula: Formula, truths: Truths): Truth => {
  if (formula.kind === 'atom') return truths.atomAt(formula.atom);
  if (formula.kind === 'open') return truths.groupOf(formula.said);
  if (formula.kind === 'element') {
    const isThere = truths.isThere(formula.name);
    return { isTrue: isThere, isPossible: isThere };
  }
  if (formula.kind === 'not') {
    const { isTrue, isPossible } = getTruth(clauses, formula.part, truths);
    return { isTrue: opposite(isPossible), isPossible: opposite(isTrue) };
  }
  const parts = formula.parts.map((part) => getTruth(clauses, part, truths));
  const join = formula.kind === 'all' ? encodeAll : encodeAny;
  return {
    isTrue: join(
      clauses,
      parts.map(({ isTrue }) => isTrue),
    ),
    isPossible: join(
      clauses,
      parts.map(({ isPossible }) => isPossible),
    ),
  };
};

/** Returns true for the expansion of a condition on the elements of a list. */
const isOfElements = (formula: Formula): boolean => {
  if (formula.kind !== 'any' && formula.kind !== 'all') return false;
  const [first] = formula.parts;
  if (first === undefined || (first.kind !== 'any' && first.kind !== 'all')) return false;
  const [isThere] = first.parts;
  return isThere?.kind === 'element' || (isThere?.kind === 'not' && isThere.part.kind === 'element');
};

/** Returns literals of which one is true if an element decides a condition on all of them, so that those after it are not read. */
const decidedEarly = (clauses: Clauses, formula: Formula, truths: Truths): Literal[] => {
  if (formula.kind === 'not') return decidedEarly(clauses, formula.part, truths);
  if (formula.kind !== 'any' && formula.kind !== 'all') return [];
  const inner = formula.parts.flatMap((part) => decidedEarly(clauses, part, truths));
  if (!isOfElements(formula)) return inner;
  const { isTrue, isPossible } = getTruth(clauses, formula, truths);
  return [formula.kind === 'any' ? isTrue : opposite(isPossible), ...inner];
};

/**
 * Returns a literal that is true if a rule reads a text that is too long for one of its patterns. For groups that stay open it may be true
 * or not,
 * and so it may for elements of a list if one of them decides, since those after it are not read.
 */
const tooLongFor = (
  clauses: Clauses,
  version: AnalysedVersion,
  rule: AnalysedRule,
  encoded: readonly EncodedDomain[],
  truths: Truths,
): Literal => {
  const searched = rule.atoms.filter((atom) => version.atoms[atom]?.condition.op === 'matches');
  const mayStop = searched.length === 0 ? [] : decidedEarly(clauses, rule.formula, truths);
  const isRead = mayStop.length === 0 ? clauses.truth : encodeAny(clauses, [opposite(encodeAny(clauses, mayStop)), clauses.fresh()]);
  const literals = encoded.flatMap(({ domain, tooLong }) => {
    if (tooLong === null || !searched.some((atom) => domain.atoms.includes(atom))) return [];
    return [truths.isElement(domain.fields[0] ?? '') ? encodeAll(clauses, [tooLong, isRead]) : tooLong];
  });
  return encodeAny(clauses, searchesElements(rule.formula) ? [...literals, clauses.fresh()] : literals);
};

/** Returns a literal that is true exactly if the engine would treat the rule as matching. */
export const encodeMatch = (
  clauses: Clauses,
  version: AnalysedVersion,
  analysed: AnalysedRule,
  truths: Truths,
  encoded: readonly EncodedDomain[],
): Literal => {
  const { rule, formula } = analysed;
  const { isTrue, isPossible } = getTruth(clauses, formula, truths);
  if (rule.if_missing === 'match' && rule.effect !== 'ALLOW') return isPossible;
  if (rule.effect === 'ALLOW') return isTrue;
  return encodeAny(clauses, [isTrue, encodeAll(clauses, [isPossible, tooLongFor(clauses, version, analysed, encoded, truths)])]);
};

export type MatchLiterals = { readonly effect: Effect; readonly match: Literal };

/**
 * Requires that the decision breaks the invariant: the strictest of the matching rules, or BLOCK if no permitting one matches, since
 * obligations alone permit nothing.
 */
export const addViolation = (clauses: Clauses, { at_least, at_most }: Invariant, rules: readonly MatchLiterals[]): void => {
  const matches = (holds: (effect: Effect) => boolean): Literal[] => rules.filter(({ effect }) => holds(effect)).map(({ match }) => match);
  const permitted = encodeAny(clauses, matches(permits));
  const ways: Literal[] = [];
  if (at_least !== undefined) {
    const floor = strictness(at_least);
    const strict = encodeAny(
      clauses,
      matches((effect) => strictness(effect) >= floor),
    );
    ways.push(encodeAll(clauses, [permitted, opposite(strict)]));
  }
  if (at_most !== undefined && at_most !== 'BLOCK') {
    const ceiling = strictness(at_most);
    ways.push(...matches((effect) => strictness(effect) > ceiling), opposite(permitted));
  }
  clauses.add(...ways);
};
