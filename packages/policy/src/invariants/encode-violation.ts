import type { Effect } from '@svc/contract/vocabulary.ts';
import type { AnalysedRule, AnalysedVersion, Formula } from '../analyse/formula.ts';
import { strictness } from '../effects.ts';
import { allOf, anyOf, type Clauses, type Literal, opposite } from './clauses.ts';
import type { EncodedDomain, Truth } from './encode-domains.ts';
import type { Invariant } from './invariant.ts';

const truthOf = (clauses: Clauses, formula: Formula, truths: readonly Truth[]): Truth => {
  if (formula.kind === 'atom') {
    const truth = truths[formula.atom];
    if (truth === undefined) throw new Error('an atom belongs to no field');
    return truth;
  }
  if (formula.kind === 'open') {
    const isTrue = clauses.fresh();
    return { isTrue, isPossible: anyOf(clauses, [isTrue, clauses.fresh()]) };
  }
  if (formula.kind === 'not') {
    const { isTrue, isPossible } = truthOf(clauses, formula.part, truths);
    return { isTrue: opposite(isPossible), isPossible: opposite(isTrue) };
  }
  const parts = formula.parts.map((part) => truthOf(clauses, part, truths));
  const join = formula.kind === 'all' ? allOf : anyOf;
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

/** Whether a rule reads a text that is too long for one of its patterns. */
const tooLongFor = (clauses: Clauses, version: AnalysedVersion, rule: AnalysedRule, encoded: readonly EncodedDomain[]): Literal => {
  const searched = rule.atoms.filter((atom) => version.atoms[atom]?.condition.op === 'matches');
  const literals = encoded.flatMap(({ domain, tooLong }) =>
    tooLong !== null && searched.some((atom) => domain.atoms.includes(atom)) ? [tooLong] : [],
  );
  return anyOf(clauses, literals);
};

/** A literal that holds exactly when the engine would take the rule as matching. */
export const matchOf = (
  clauses: Clauses,
  version: AnalysedVersion,
  analysed: AnalysedRule,
  truths: readonly Truth[],
  encoded: readonly EncodedDomain[],
): Literal => {
  const { rule, formula } = analysed;
  const { isTrue, isPossible } = truthOf(clauses, formula, truths);
  if (rule.if_missing === 'match' && rule.effect !== 'ALLOW') return isPossible;
  if (rule.effect !== 'BLOCK' && rule.effect !== 'REQUIRE_APPROVAL') return isTrue;
  return anyOf(clauses, [isTrue, allOf(clauses, [isPossible, tooLongFor(clauses, version, analysed, encoded)])]);
};

export type MatchedBy = { readonly effect: Effect; readonly match: Literal };

/** Demands that the strictest of the matching rules, or BLOCK where none matches, breaks the invariant. */
export const addViolation = (clauses: Clauses, { at_least, at_most }: Invariant, rules: readonly MatchedBy[]): void => {
  const matches = (holds: (effect: Effect) => boolean): Literal[] => rules.filter(({ effect }) => holds(effect)).map(({ match }) => match);
  const ways: Literal[] = [];
  if (at_least !== undefined) {
    const floor = strictness(at_least);
    const weak = anyOf(
      clauses,
      matches((effect) => strictness(effect) < floor),
    );
    const strict = anyOf(
      clauses,
      matches((effect) => strictness(effect) >= floor),
    );
    ways.push(allOf(clauses, [weak, opposite(strict)]));
  }
  if (at_most !== undefined && at_most !== 'BLOCK') {
    const ceiling = strictness(at_most);
    const none = opposite(
      anyOf(
        clauses,
        matches(() => true),
      ),
    );
    ways.push(...matches((effect) => strictness(effect) > ceiling), none);
  }
  clauses.add(...ways);
};
