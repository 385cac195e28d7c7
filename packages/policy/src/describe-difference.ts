import type { ConditionTrace, ConsultedRule, PolicyDecision, PolicyTestCase } from '@svc/contract/policy-language.ts';

const inWords = (condition: ConditionTrace): string => {
  const asked = [condition.field, condition.op, ...(condition.expected === undefined ? [] : [JSON.stringify(condition.expected)])].join(
    ' ',
  );
  if (condition.unknown_because === 'missing') return `${asked} is unknown, since the context does not hold ${condition.field}`;
  const found = condition.actual === undefined || condition.actual === null ? 'it is absent' : `it is ${JSON.stringify(condition.actual)}`;
  if (condition.unknown_because === 'wrong_type') return `${asked} is unknown, since ${found}, of another type`;
  return `${asked} is ${condition.outcome} (${found})`;
};

const whyNot = (rule: ConsultedRule | undefined, id: string): string => {
  if (rule === undefined) return `Rule "${id}" could not match this tool or capability.`;
  if (rule.outcome === 'matched') return `Rule "${id}" matched too, but another rule comes before it.`;
  const failed = rule.conditions.filter((condition) => condition.outcome !== 'true').map(inWords);
  return `Rule "${id}" did not match: ${failed.length === 0 ? 'its conditions deny what holds here' : failed.join('; ')}.`;
};

const decidedBy = (decision: PolicyDecision): string =>
  decision.matched_rule === null ? 'no rule matched' : `rule "${decision.matched_rule.id}" decided`;

/** What differs between the expected and the actual decision, in words; null when nothing does. */
export const describeDifference = (expected: PolicyTestCase['then'], decision: PolicyDecision): string | null => {
  const sameEffect = expected.effect === decision.effect;
  const sameRule = expected.rule === undefined || expected.rule === (decision.matched_rule?.id ?? null);
  if (sameEffect && sameRule) return null;
  const found = sameEffect
    ? `Expected ${expected.rule === null ? 'no rule to match' : `rule "${expected.rule}" to decide`}; ${decidedBy(decision)}.`
    : `Expected ${expected.effect}, got ${decision.effect}: ${decidedBy(decision)}.`;
  if (sameRule || expected.rule === undefined || expected.rule === null) return found;
  return `${found} ${whyNot(
    decision.matched_rules.find((rule) => rule.id === expected.rule),
    expected.rule,
  )}`;
};
