import type { PolicyWarning } from '@svc/contract/policies/warnings.ts';
import type { Fuel } from '@svc/solver/fuel.ts';
import type { AnalysedRule, AnalysedVersion } from '../formula/formula.ts';
import type { Exact } from './exact.ts';
import { certainOutcome, listVariables, possibleOutcome, search } from './search.ts';

/**
 * Returns true if a rule has no effect when the other one matches too. Demands of a rule apply next to a stricter one, so only a rule
 * without
 * demands, or a blocked one, loses its effect; and as obligations permit nothing, a permitting rule is not superseded by a mask or limit.
 */
const isLostTo = ({ rule }: AnalysedRule, { rule: other }: AnalysedRule): boolean =>
  (other.effect === 'BLOCK' && rule.effect !== 'BLOCK') || (other.effect === 'REQUIRE_APPROVAL' && rule.effect === 'ALLOW');

/** Returns true if it is proven that the other rule matches whenever the rule does. */
const isCovered = (version: AnalysedVersion, rule: AnalysedRule, other: AnalysedRule, fuel: Fuel): boolean => {
  const variables = listVariables(version, [rule, other], fuel);
  const wishes = [
    { rule, matches: true, from: possibleOutcome(version, rule) },
    { rule: other, matches: false, from: certainOutcome(other) },
  ];
  return search(version, variables, wishes, { fuel }) === 'none';
};

/** Returns the fewest rules that together cover the rule, found by leaving out one after the other; null if they do not. */
const covering = (rule: AnalysedRule, others: readonly AnalysedRule[], { mayMatchAlone }: Exact): readonly AnalysedRule[] | null => {
  const isLost = (left: readonly AnalysedRule[]): boolean =>
    !mayMatchAlone(
      rule.position,
      left.map(({ position }) => position),
    );
  if (others.length === 0 || !isLost(others)) return null;
  let kept = others;
  for (const other of others) {
    const fewer = kept.filter((one) => one !== other);
    if (fewer.length > 0 && isLost(fewer)) kept = fewer;
  }
  return kept;
};

const NAMED_MAX = 3;

const messageFor = (shadows: readonly AnalysedRule[]): string => {
  const [{ rule }] = shadows as readonly [AnalysedRule];
  if (shadows.length === 1)
    return `This rule never decides: whenever it matches, rule "${rule.id}" matches too, and its ${rule.effect} is stricter.`;
  const named = shadows.slice(0, NAMED_MAX).map(({ rule: { id } }) => `"${id}"`);
  const more = shadows.length > NAMED_MAX ? ` or ${shadows.length - NAMED_MAX} more` : '';
  return `This rule never decides: whenever it matches, one of the stricter rules ${named.join(', ')}${more} matches too.`;
};

/** Warns if stricter rules match, one or another, whenever this one does. The rule itself can match. */
export const shadowed = (version: AnalysedVersion, rule: AnalysedRule, fuel: Fuel, exact: Exact): PolicyWarning | null => {
  const stricter = version.rules.filter((other) => isLostTo(rule, other));
  const alone = stricter.find((other) => isCovered(version, rule, other, fuel));
  const shadows = alone === undefined ? covering(rule, stricter, exact) : [alone];
  if (shadows === null || shadows[0] === undefined) return null;
  return {
    kind: 'shadowed',
    rule_id: rule.rule.id,
    ...(shadows.length === 1 ? { other_rule_id: shadows[0].rule.id } : {}),
    pointer: `/rules/${rule.position}`,
    message: messageFor(shadows),
  };
};
