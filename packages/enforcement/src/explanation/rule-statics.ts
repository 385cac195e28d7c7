import type { ConditionTrace, ConsultedRule, PolicyRule } from '@svc/contract/policies/language.ts';
import { compileWhen } from '@svc/policy/conditions/compile-condition.ts';
import { listTraceConditions } from '@svc/policy/judge/trace-conditions.ts';

/** Constant part of a condition in every decision of its rule. */
export type ConditionStatics = Pick<ConditionTrace, 'path' | 'field' | 'op' | 'expected'>;

/** Constant part of a rule in every decision, which only the policy version states. */
export type RuleStatics = Pick<ConsultedRule, 'effect' | 'reason'> & { readonly conditions: readonly ConditionStatics[] };

/** The rules of one version by their ids, which are unique in it. */
export type VersionStatics = ReadonlyMap<string, RuleStatics>;

const conditionStatics = ({ path, field, op, expected }: ConditionTrace): ConditionStatics => ({
  path,
  field,
  op,
  ...(expected === undefined ? {} : { expected }),
});

const ruleStatics = ({ effect, reason, when }: PolicyRule): RuleStatics => ({
  effect,
  reason,
  conditions: listTraceConditions({ when: compileWhen(when) }).map(conditionStatics),
});

/** Returns the constant parts of a stored version's rules. Throws on rules that were never validated. */
export const readVersionStatics = (rules: readonly PolicyRule[]): VersionStatics =>
  new Map(rules.map((rule) => [rule.id, ruleStatics(rule)]));
