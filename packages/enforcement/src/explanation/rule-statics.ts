import type { ConditionTrace, ConsultedRule, PolicyRule } from '@svc/contract/policies/language.ts';
import { compileWhen } from '@svc/policy/conditions/compile-condition.ts';
import { conditionsOf } from '@svc/policy/judge/conditions-of.ts';

/** What every decision of a rule says of one of its conditions. */
export type ConditionStatics = Pick<ConditionTrace, 'path' | 'field' | 'op' | 'expected'>;

/** What every decision of a rule says of it, and that nothing but the version of the policy tells. */
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
  conditions: conditionsOf({ when: compileWhen(when) }).map(conditionStatics),
});

/** Of the rules of a stored version. Throws on rules that were never validated. */
export const versionStatics = (rules: readonly PolicyRule[]): VersionStatics => new Map(rules.map((rule) => [rule.id, ruleStatics(rule)]));
