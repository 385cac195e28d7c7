import type { PolicyWarning } from '@svc/contract/policies/warnings.ts';
import type { Fuel } from '@svc/solver/fuel.ts';
import type { AnalysedRule, AnalysedVersion, Formula } from '../formula/formula.ts';
import type { Exact } from './exact.ts';
import { buildGiven, type ExampleInput, type RuleEngine } from './example-request.ts';
import { certainOutcome, listVariables, search } from './search.ts';

/** Failed examples after which no further one is tried. */
const ATTEMPTS_MAX = 64;
const ATTEMPT_PRICE = 50;

const findExample = (version: AnalysedVersion, engine: RuleEngine, rules: readonly AnalysedRule[], fuel: Fuel): ExampleInput | null => {
  let example: ExampleInput | null = null;
  let attempts = 0;
  const wishes = rules.map((rule) => ({ rule, matches: true, from: certainOutcome(rule) }));
  search(version, listVariables(version, rules, fuel), wishes, {
    fuel,
    real: true,
    stop: (found) => {
      attempts += 1;
      const given = buildGiven(found);
      fuel.left -= ATTEMPT_PRICE;
      if (given !== null && rules.every(({ rule }) => engine(rule, given) === 'matched')) example = given;
      return example !== null || attempts >= ATTEMPTS_MAX;
    },
  });
  return example;
};

const hasOpenGroup = (formula: Formula): boolean => {
  if (formula.kind === 'open') return true;
  if (formula.kind === 'not') return hasOpenGroup(formula.part);
  return (formula.kind === 'all' || formula.kind === 'any') && formula.parts.some(hasOpenGroup);
};

/**
 * Warns if a request is found that the ALLOW rule would permit and the BLOCK rule refuses, and the BLOCK rule also matches requests
 * beyond the ALLOW; `undecided` if that is not known.
 */
export const overlap = (
  version: AnalysedVersion,
  engine: RuleEngine,
  allow: AnalysedRule,
  block: AnalysedRule,
  { fuel, exact }: { readonly fuel: Fuel; readonly exact: Exact },
): PolicyWarning | 'undecided' | null => {
  // A BLOCK inside the ALLOW is an exception to it, which is the purpose of a strict rule.
  if (!exact.mayMatchAlone(block.position, [allow.position])) return null;
  const rules = [allow, block];
  let example = findExample(version, engine, rules, fuel);
  if (example === null && rules.some(({ formula }) => hasOpenGroup(formula))) {
    const isExample = (given: ExampleInput): boolean => rules.every(({ rule }) => engine(rule, given) === 'matched');
    const found = exact.findRequest([allow.position, block.position], isExample);
    if (found === undefined) return 'undecided';
    example = found;
  }
  if (example === null) return null;
  return {
    kind: 'overlap',
    rule_id: allow.rule.id,
    other_rule_id: block.rule.id,
    pointer: `/rules/${allow.position}`,
    message: `Rule "${block.rule.id}" blocks some requests that this rule allows, and BLOCK takes precedence.`,
    example,
  };
};
