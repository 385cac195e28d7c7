import type { PolicyDecision } from '@svc/contract/policies/language.ts';
import { type Literal, opposite } from '@svc/solver/clauses/clauses.ts';
import { newSolver, type SolverResult } from '@svc/solver/clauses/satisfy.ts';
import type { Fuel } from '@svc/solver/fuel.ts';
import { listNeverKnownFields } from '../language/never-known.ts';
import { openJudge, shortenRequest } from './ask-engine.ts';
import type { EncodedDomain } from './encode-domains.ts';
import { type EncodedRules, encodeRules, type Unknowns, type WrittenRule } from './encode-rules.ts';
import { addViolation } from './encode-violation.ts';
import { type Invariant, toProbeRule } from './invariant.ts';
import type { ProofScope } from './place.ts';
import { buildRequests, type FoundRequest } from './request-from.ts';

/** A rule and its policy. */
export type RuleName = { readonly policy_id: string; readonly policy_name: string; readonly rule_id: string };

/**
 * `PROVED`: no request of the scope breaks the invariant. `VIOLATED`: this one does, as the engine confirmed. `UNDECIDED`: neither was
 * shown; `rules` are those that blocked the search.
 */
export type PlaceVerdict =
  | { readonly verdict: 'PROVED' }
  | { readonly verdict: 'VIOLATED'; readonly counter_example: FoundRequest; readonly decision: PolicyDecision }
  | Undecided;

/** `never_known`: it holds only as long as nothing is known of `fields`, which no request contains in this version of the service. */
export type Undecided = {
  readonly verdict: 'UNDECIDED';
  readonly because: 'too_much' | 'not_foreseen' | 'never_known';
  readonly rules: readonly RuleName[];
  readonly fields?: readonly string[];
};

/** Failed examples after which no more are tried. */
const ATTEMPTS_MAX = 200;
const NAMED_MAX = 5;

/** Returns the fields that have one value in every request of a scope. */
export const listFixedFields = ({ bounds }: Pick<ProofScope, 'bounds'>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(bounds).flatMap(([name, { only }]) => (only === undefined ? [] : [[name, only]])));

type Question = {
  readonly solver: ReturnType<typeof newSolver>;
  readonly encoded: readonly EncodedDomain[];
  readonly elements: EncodedRules['elements'];
  readonly matches: readonly { readonly name: RuleName; readonly match: Literal }[];
};

type Sourced = WrittenRule & { readonly name: RuleName | null };

const listRules = (invariant: Invariant, place: ProofScope): Sourced[] => [
  ...place.versions.flatMap(({ policy_id, policy_name, currency = '', body }) =>
    body.rules.map((rule) => ({ rule, currency, name: { policy_id, policy_name, rule_id: rule.id } })),
  ),
  { rule: toProbeRule(invariant), currency: invariant.currency ?? '', name: null },
];

/**
 * Returns the clauses that a request fulfils exactly if it meets the condition and breaks the invariant; null if there are more
 * values than the budget allows, since nothing follows from a part of them.
 */
const ask = (invariant: Invariant, place: ProofScope, fuel: Fuel, unknowns: Unknowns): Question | null => {
  const rules = listRules(invariant, place);
  const encodedRules = encodeRules(rules, place, fuel, unknowns);
  if (encodedRules === null) return null;
  const { clauses, encoded, elements, matches: literals } = encodedRules;
  const matches = rules.flatMap(({ rule, name }, index) => {
    const match = literals[index] ?? clauses.truth;
    return name === null ? [] : [{ name, match, effect: rule.effect }];
  });
  clauses.add(literals.at(-1) ?? opposite(clauses.truth));
  addViolation(clauses, invariant, matches);
  const solver = newSolver(clauses.variables());
  for (const clause of clauses.list) {
    fuel.left -= clause.length;
    solver.add(clause);
  }
  return { solver, encoded, elements, matches };
};

/** Excludes what was found from the further search, and nothing else that a request is known for. */
export const ruleOut = (
  { solver, encoded, elements }: Pick<Question, 'solver' | 'encoded' | 'elements'>,
  holds: (literal: Literal) => boolean,
): void => {
  const literals = encoded.flatMap(({ domain, chosen }) =>
    chosen.map((literal, index) => ({ literal, domain, choice: domain.choices[index] })),
  );
  const unreal = literals.filter(({ literal, choice }) => holds(literal) && choice?.values === null);
  if (unreal.length > 0) for (const { literal } of unreal) solver.add([opposite(literal)]);
  else {
    const telling = literals.filter(({ literal, domain }) => domain.kind !== 'one' || holds(literal));
    const all = [...telling.map(({ literal }) => literal), ...elements.values()];
    solver.add(all.map((literal) => (holds(literal) ? opposite(literal) : literal)));
  }
};

const TOO_MUCH: Undecided = { verdict: 'UNDECIDED', because: 'too_much', rules: [] };

/** Proves that no request of a scope breaks an invariant, as long as nothing is known of fields that are never known. */
const proveAsKnown = (invariant: Invariant, place: ProofScope, fuel: Fuel): PlaceVerdict => {
  const question = ask(invariant, place, fuel, 'missing');
  if (question === null) return TOO_MUCH;
  const judge = openJudge(invariant, place);
  let seen: SolverResult = 'unknown';
  for (let attempt = 0; attempt <= ATTEMPTS_MAX; attempt++) {
    const answer = question.solver.solve(fuel);
    if (answer === 'none' && attempt === 0) return { verdict: 'PROVED' };
    if (typeof answer !== 'object') {
      return { verdict: 'UNDECIDED', because: answer === 'unknown' ? 'too_much' : 'not_foreseen', rules: matchingIn(question, seen) };
    }
    seen = answer;
    for (const found of buildRequests(question.encoded, answer.holds, question.elements)) {
      const request = { ...found, given: { ...listFixedFields(place), ...found.given } };
      const decision = judge(request);
      if (decision === null) continue;
      const counter_example = shortenRequest(request, judge);
      return { verdict: 'VIOLATED', counter_example, decision: judge(counter_example) ?? decision };
    }
    ruleOut(question, answer.holds);
  }
  return { verdict: 'UNDECIDED', because: 'not_foreseen', rules: matchingIn(question, seen) };
};

const matchingIn = ({ matches }: Question, answer: SolverResult): RuleName[] =>
  matches
    .filter(({ match }) => typeof answer === 'object' && answer.holds(match))
    .map(({ name }) => name)
    .slice(0, NAMED_MAX);

/**
 * Proves that no request of a scope breaks an invariant. A violation was confirmed by the engine itself. An invariant that holds only
 * because
 * nothing is known of a field that this version never knows, or that names such a field, does not count as proved: it says nothing of
 * requests.
 */
export const provePlace = (invariant: Invariant, place: ProofScope, fuel: Fuel): PlaceVerdict => {
  const answer = proveAsKnown(invariant, place, fuel);
  if (answer.verdict !== 'PROVED') return answer;
  const readers = listRules(invariant, place).flatMap(({ rule, name }) => {
    const fields = listNeverKnownFields(rule);
    return fields.length === 0 ? [] : [{ name, fields }];
  });
  if (readers.length === 0) return answer;
  const isStated = readers.some(({ name }) => name === null);
  const open = isStated ? null : ask(invariant, place, fuel, 'open');
  const found = open?.solver.solve(fuel);
  if (found === 'none') return answer;
  if (!isStated && (found === undefined || found === 'unknown')) return TOO_MUCH;
  const named = isStated ? readers.filter(({ name }) => name === null) : readers;
  return {
    verdict: 'UNDECIDED',
    because: 'never_known',
    rules: named.flatMap(({ name }) => name ?? []).slice(0, NAMED_MAX),
    fields: [...new Set(named.flatMap(({ fields }) => fields))].slice(0, NAMED_MAX),
  };
};
