import type { PolicyWarning } from '@svc/contract/policy-language.ts';
import { strictness } from '../effects.ts';
import type { Fuel } from './cells.ts';
import type { AnalysedRule, AnalysedVersion } from './formula.ts';
import { certainFrom, possibleFrom, search, variablesOf } from './search.ts';

/**
 * Whether nothing is left of a rule where the other one matches too. What a rule demands holds beside a stricter one, so only a rule that
 * demands nothing, or one that is blocked, is lost.
 */
const isLostTo = ({ rule }: AnalysedRule, { rule: other }: AnalysedRule): boolean =>
  strictness(other.effect) > strictness(rule.effect) && (rule.effect === 'ALLOW' || other.effect === 'BLOCK');

/** Whether it is proven that the other rule matches whenever the rule does. */
const isCovered = (version: AnalysedVersion, rule: AnalysedRule, other: AnalysedRule, fuel: Fuel): boolean => {
  const variables = variablesOf(version, [rule, other], fuel);
  const wishes = [
    { rule, matches: true, from: possibleFrom(version, rule) },
    { rule: other, matches: false, from: certainFrom(other) },
  ];
  return search(version, variables, wishes, { fuel }) === 'none';
};

/** A warning when some stricter rule matches whenever this one does. The rule itself can match. */
export const shadowed = (version: AnalysedVersion, rule: AnalysedRule, fuel: Fuel): PolicyWarning | null => {
  const shadow = version.rules.find((other) => isLostTo(rule, other) && isCovered(version, rule, other, fuel));
  if (shadow === undefined) return null;
  const { id, effect } = shadow.rule;
  return {
    kind: 'shadowed',
    rule_id: rule.rule.id,
    other_rule_id: id,
    pointer: `/rules/${rule.position}`,
    message: `This rule never decides: whenever it matches, rule "${id}" matches too, and its ${effect} is stricter.`,
  };
};
