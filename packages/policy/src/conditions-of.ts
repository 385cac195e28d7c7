import type { ConditionTrace } from '@svc/contract/policy-language.ts';
import type { CompiledRule } from './compile-version.ts';

/** The conditions of a rule in the order of every trace of it: every condition leaves its trace, even in a request that holds nothing. */
export const conditionsOf = (rule: CompiledRule): readonly ConditionTrace[] => {
  const run = { conditions: [], tooLong: false, unknownFields: null };
  rule.when({}, run);
  return run.conditions;
};
