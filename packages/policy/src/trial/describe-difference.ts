import type { ConditionTrace, ConsultedRule, PolicyDecision, PolicyTestCase } from '@svc/contract/policies/language.ts';
import { OPERATOR_LABELS } from '@svc/contract/policies/operator-labels.ts';
import type { Effect } from '@svc/contract/tables/vocabulary.ts';
import { obligationsAlone } from '../judge/obligations-alone.ts';
import { DENIED_LABELS } from './denied-labels.ts';

/** Maximum number of rules in one sentence. */
const RULES_MAX = 3;

const shown = (value: unknown): string => (Array.isArray(value) ? value.map(shown).join(', ') : JSON.stringify(value));
const asked = ({ expected }: ConditionTrace): string => (expected === undefined ? '' : ` ${shown(expected)}`);

/** Returns why a condition kept the rule from matching, with the actual value. */
const inWords = (condition: ConditionTrace): string => {
  const { field, op, actual, outcome, unknown_because } = condition;
  const found = actual === undefined || actual === null ? field : `${field} ${shown(actual)}`;
  if (outcome === 'false') return `${found} ${DENIED_LABELS[op]}${asked(condition)}`;
  const whole = `whether ${field} ${OPERATOR_LABELS[op]}${asked(condition)} is unknown`;
  if (unknown_because === 'missing') return `${whole}, because the context has no ${field}`;
  if (unknown_because === 'too_long') return `${whole}, because the text is too long to search`;
  return `${whole}, because ${shown(actual)} has another type`;
};

const whyNot = (rule: ConsultedRule): string => {
  const failed = rule.conditions.filter((condition) => condition.outcome !== 'true').map(inWords);
  return failed.length === 0 ? 'its conditions are false for this context' : failed.join(' and ');
};

const named = (id: string): string => `rule "${id}"`;

const NARROWS = 'a mask or limit alone permits nothing, and no rule permits or blocks this request';

/** Returns why the expected rule did not decide. */
const whyNotThis = (id: string, decision: PolicyDecision): string => {
  const { matched_rules, matched_rule } = decision;
  const rule = matched_rules.find((one) => one.id === id);
  if (rule === undefined) return `${named(id)} could not match this tool or capability`;
  if (rule.outcome !== 'matched') return whyNot(rule);
  if (obligationsAlone(decision)) return `${named(id)} matched, but ${NARROWS}`;
  const isStricter = matched_rule !== null && matched_rule.effect !== rule.effect;
  return `${named(id)} matched too, but ${isStricter ? 'a stricter effect takes precedence' : 'an earlier rule with the same effect takes precedence'}`;
};

/** Returns why no rule of the expected effect decided, if none was named. */
const whyNotThat = (effect: Effect, decision: PolicyDecision): string | null => {
  const { matched_rules } = decision;
  const matched = matched_rules.find((rule) => rule.effect === effect && rule.outcome === 'matched');
  if (matched !== undefined && obligationsAlone(decision)) return `${named(matched.id)} matched, but ${NARROWS}`;
  const rules = matched_rules.filter((rule) => rule.effect === effect && rule.outcome !== 'matched');
  if (rules.length === 0) return null;
  const told = rules.slice(0, RULES_MAX).map((rule) => `${named(rule.id)} did not match: ${whyNot(rule)}`);
  return `${told.join('; ')}${rules.length > RULES_MAX ? `; ${rules.length - RULES_MAX} more did not` : ''}`;
};

/** Returns why an expected rule does not match; null if all do. */
const unmatched = (ids: readonly string[], { matched_rules }: PolicyDecision): string | null => {
  const told = ids.flatMap((id) => {
    const rule = matched_rules.find((one) => one.id === id);
    if (rule === undefined) return [`${named(id)} could not match this tool or capability`];
    return rule.outcome === 'matched' ? [] : [`${named(id)} did not match: ${whyNot(rule)}`];
  });
  return told.length === 0 ? null : `Expected other rules to match: ${told.slice(0, RULES_MAX).join('; ')}.`;
};

const expectedPart = ({ effect, rule }: PolicyTestCase['then']): string => {
  if (rule === null) return `${effect} by no rule`;
  return rule === undefined ? effect : `${effect} by ${named(rule)}`;
};

const actualPart = ({ effect, matched_rule }: PolicyDecision): string =>
  matched_rule === null ? `${effect} by no rule` : `${effect} by ${named(matched_rule.id)}`;

/** Returns the difference between the expected and the actual decision, and its reason, in one sentence; null if there is none. */
export const describeDifference = (expected: PolicyTestCase['then'], decision: PolicyDecision): string | null => {
  const sameEffect = expected.effect === decision.effect;
  const sameRule = expected.rule === undefined || expected.rule === (decision.matched_rule?.id ?? null);
  if (sameEffect && sameRule) return expected.matches === undefined ? null : unmatched(expected.matches, decision);
  const { rule } = expected;
  const why =
    rule === null ? null : rule === undefined ? whyNotThat(expected.effect, decision) : sameRule ? null : whyNotThis(rule, decision);
  return `Expected ${expectedPart(expected)}, got ${actualPart(decision)}${why === null ? '' : `, because ${why}`}.`;
};
