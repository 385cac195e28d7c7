import type { PolicyDecision, PolicyRule } from '@svc/contract/policy-language.ts';
import type { Fuel } from '../analyse/cells.ts';
import { readFormulas } from '../analyse/formula.ts';
import { compileSet, compileUnbound } from '../compile-set.ts';
import { compileVersion } from '../compile-version.ts';
import { readGiven } from '../context.ts';
import { evaluate } from '../evaluate.ts';
import { type Clauses, newClauses, opposite } from './clauses.ts';
import { domainsOf } from './domains.ts';
import { type EncodedDomain, encodeDomains } from './encode-domains.ts';
import { addViolation, matchOf } from './encode-violation.ts';
import { type Invariant, isBrokenBy, probeOf } from './invariant.ts';
import { addLinks } from './links.ts';
import type { Place } from './place.ts';
import { type Given, requestFrom } from './request-from.ts';
import { type Answer, newSolver } from './satisfy.ts';

/** A rule by the policy it belongs to. */
export type RuleName = { readonly policy_id: string; readonly policy_name: string; readonly rule_id: string };

/**
 * `PROVED`: no request of the place breaks the invariant. `VIOLATED`: this one does, and the engine itself was asked. `UNDECIDED`: neither was
 * shown; `rules` are those that looking did not get past.
 */
export type PlaceVerdict =
  | { readonly verdict: 'PROVED' }
  | { readonly verdict: 'VIOLATED'; readonly counter_example: Given; readonly decision: PolicyDecision }
  | { readonly verdict: 'UNDECIDED'; readonly because: 'too_much' | 'not_foreseen'; readonly rules: readonly RuleName[] };

/** Examples that turned out to be none, after which no more are tried. */
const ATTEMPTS_MAX = 200;
const NAMED_MAX = 5;

/** Asks the engine itself about one request: the decision when it meets the condition and breaks the invariant. */
export const openJudge = (invariant: Invariant, place: Place): ((given: Given) => PolicyDecision | null) => {
  const set = compileSet(place.versions.map(compileVersion));
  const source = { policy_id: '', policy_name: '', version_id: '', version_number: 0, binding: { scope: 'ORGANIZATION' as const, id: '' } };
  const probe = compileUnbound(compileVersion({ ...source, body: { rules: [probeOf(invariant)], tests: [] } }));
  return (given) => {
    const read = readGiven(given);
    if (!read.ok || evaluate(probe, read.context).matched_rule === null) return null;
    const decision = evaluate(set, read.context);
    return isBrokenBy(invariant, decision.effect) ? decision : null;
  };
};

const NEVER_LEFT_OUT = /^(principal|agent\.(?!labels)|environment|workspace|tool|capability|approval|time)/;

/** Without what is not needed to break the invariant and a request can be without. */
const shortened = (given: Given, judge: (given: Given) => PolicyDecision | null): Given => {
  let short = given;
  for (const name of Object.keys(given)) {
    if (NEVER_LEFT_OUT.test(name)) continue;
    const { [name]: _, ...rest } = short;
    const isTorn =
      (name === 'currency' && 'amount' in rest) || (/^destination/.test(name) && Object.keys(rest).some((key) => /^destination/.test(key)));
    if (!isTorn && judge(rest) !== null) short = rest;
  }
  return short;
};

const fixed = ({ bounds }: Place): Given =>
  Object.fromEntries(Object.entries(bounds).flatMap(([name, { only }]) => (only === undefined ? [] : [[name, only]])));

type Question = {
  readonly solver: ReturnType<typeof newSolver>;
  readonly encoded: readonly EncodedDomain[];
  readonly matches: readonly { readonly name: RuleName; readonly match: number }[];
};

const ask = (invariant: Invariant, place: Place, fuel: Fuel): Question => {
  const sources = place.versions.flatMap((version) => version.body.rules.map((rule) => ({ rule, version })));
  const rules: PolicyRule[] = [...sources.map(({ rule }) => rule), probeOf(invariant)];
  const formulas = readFormulas({ rules });
  const clauses: Clauses = newClauses();
  const domains = domainsOf(formulas.atoms, place, fuel);
  const { encoded, truths } = encodeDomains(clauses, domains, formulas.atoms);
  addLinks(clauses, encoded);
  const matches = formulas.rules.map((rule) => matchOf(clauses, formulas, rule, truths, encoded));
  clauses.add(matches.at(-1) ?? opposite(clauses.truth));
  addViolation(
    clauses,
    invariant,
    sources.map(({ rule }, index) => ({ effect: rule.effect, match: matches[index] ?? 0 })),
  );
  const solver = newSolver(clauses.variables());
  fuel.left -= clauses.list.length;
  for (const clause of clauses.list) solver.add(clause);
  const named = sources.map(({ rule, version: { policy_id, policy_name } }, index) => ({
    name: { policy_id, policy_name, rule_id: rule.id },
    match: matches[index] ?? 0,
  }));
  return { solver, encoded, matches: named };
};

const taken = (encoded: readonly EncodedDomain[], holds: (literal: number) => boolean): number[] =>
  encoded.flatMap(({ chosen, domain }) =>
    chosen.filter((literal) => domain.kind !== 'one' || holds(literal)).map((literal) => (holds(literal) ? literal : opposite(literal))),
  );

/** Whether no request of a place breaks an invariant. What is answered as broken has been put to the engine itself. */
export const provePlace = (invariant: Invariant, place: Place, fuel: Fuel): PlaceVerdict => {
  if (invariant.at_least === 'ALLOW' && invariant.at_most === undefined) return { verdict: 'PROVED' };
  const { solver, encoded, matches } = ask(invariant, place, fuel);
  const judge = openJudge(invariant, place);
  const undecided = (because: 'too_much' | 'not_foreseen', answer: Answer): PlaceVerdict => ({
    verdict: 'UNDECIDED',
    because,
    rules: matches
      .filter(({ match }) => typeof answer === 'object' && answer.holds(match))
      .map(({ name }) => name)
      .slice(0, NAMED_MAX),
  });
  let last: Answer = solver.solve(fuel);
  if (last === 'none') return { verdict: 'PROVED' };
  let seen = last;
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    if (last === 'unknown') return undecided('too_much', seen);
    if (last === 'none') return undecided('not_foreseen', seen);
    seen = last;
    const given = requestFrom(encoded, last.holds);
    const whole = given === null ? null : { ...fixed(place), ...given };
    const decision = whole === null ? null : judge(whole);
    if (whole !== null && decision !== null) {
      const counter_example = shortened(whole, judge);
      return { verdict: 'VIOLATED', counter_example, decision: judge(counter_example) ?? decision };
    }
    const { holds } = last;
    const unreal = encoded.flatMap(({ chosen, domain }) =>
      chosen.filter((literal, index) => holds(literal) && domain.choices[index]?.values === null),
    );
    if (unreal.length > 0) for (const literal of unreal) solver.add([opposite(literal)]);
    else solver.add(taken(encoded, holds).map(opposite));
    last = solver.solve(fuel);
  }
  return undecided('not_foreseen', seen);
};
