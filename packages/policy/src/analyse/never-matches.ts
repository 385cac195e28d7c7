import type { PolicyWarning } from '@svc/contract/policies/warnings.ts';
import type { Fuel } from '@svc/solver/fuel.ts';
import type { AnalysedRule, AnalysedVersion } from '../formula/formula.ts';
import type { Exact } from './exact.ts';
import { listVariables, possibleOutcome, search } from './search.ts';

/** Returns true if it is proven that no request makes the rule match. */
const isImpossible = (version: AnalysedVersion, rule: AnalysedRule, fuel: Fuel): boolean => {
  const variables = listVariables(version, [rule], fuel);
  return search(version, variables, [{ rule, matches: true, from: possibleOutcome(version, rule) }], { fuel }) === 'none';
};

/** Returns the one field whose conditions alone cause this; null if it takes several. */
const fieldToBlame = (version: AnalysedVersion, rule: AnalysedRule, fuel: Fuel): string | null => {
  const wish = { rule, matches: true, from: possibleOutcome(version, rule) };
  const blamed = listVariables(version, [rule], fuel).find((variable) => search(version, [variable], [wish], { fuel }) === 'none');
  return blamed?.name ?? null;
};

/** Warns if no request at all can make the rule match. */
export const neverMatches = (version: AnalysedVersion, rule: AnalysedRule, fuel: Fuel, exact: Exact): PolicyWarning | null => {
  if (!isImpossible(version, rule, fuel) && exact.mayMatchAlone(rule.position, [])) return null;
  const field = fieldToBlame(version, rule, fuel);
  const why = field === null ? 'its conditions contradict each other' : `no value of ${field} meets all conditions`;
  return {
    kind: 'never_matches',
    rule_id: rule.rule.id,
    pointer: `/rules/${rule.position}/when`,
    message: `No request can make this rule match: ${why}.`,
  };
};
