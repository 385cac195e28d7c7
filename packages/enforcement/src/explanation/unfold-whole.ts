import type { Explanation, StageFinding } from '@svc/contract/actions/decisions.ts';
import type { ConditionTrace, ConsultedRule, MatchedRule } from '@svc/contract/policies/language.ts';

/** A value that may be absent, which differs from null. */
type Maybe = 0 | readonly [unknown];
type Condition = readonly [path: string, field: string, op: string, expected: Maybe, actual: Maybe, outcome: string, because: unknown];
type Source = readonly [policyId: string, policyName: string, versionId: string, versionNumber: number, binding: MatchedRule['binding']];
type Rule = readonly [
  id: string,
  source: number,
  effect: string,
  reason: string,
  outcome: string,
  onMissing: boolean,
  conditions: readonly Condition[],
  currency?: string,
];

/** Earlier stored form, with everything that its rules state. Records in it exist. */
export type WholeExplanation = Omit<Explanation, 'matched_rule' | 'matched_rules' | 'stages'> & {
  readonly folded: 1;
  /** Index of the deciding rule in `rules`. */
  readonly matched_rule: number | null;
  readonly sources: readonly Source[];
  readonly rules: readonly Rule[];
  /** A stage that passed without a remark is its name. */
  readonly stages: readonly (string | StageFinding)[];
};

const unfoldCondition = ([path, field, op, expected, actual, outcome, because]: Condition): ConditionTrace =>
  ({
    path,
    field,
    op,
    ...(expected === 0 ? {} : { expected: expected[0] }),
    ...(actual === 0 ? {} : { actual: actual[0] }),
    outcome,
    unknown_because: because,
  }) as ConditionTrace;

const unfoldIdentity = (kept: WholeExplanation, [id, place, effect, reason]: Rule): MatchedRule => {
  const source = kept.sources[place];
  if (source === undefined) throw new Error(`a kept explanation names no source for its rule ${id}`);
  const [policy_id, policy_name, version_id, version_number, binding] = source;
  return { id, policy_id, policy_name, version_id, version_number, effect, reason, binding } as MatchedRule;
};

const unfoldRule = (kept: WholeExplanation, rule: Rule): ConsultedRule => {
  const [, , , , outcome, matched_on_missing, conditions, currency] = rule;
  const found = { outcome, matched_on_missing, conditions: conditions.map(unfoldCondition) };
  return { ...unfoldIdentity(kept, rule), ...found, ...(currency === undefined ? {} : { currency }) } as ConsultedRule;
};

const decidingOf = (kept: WholeExplanation): MatchedRule | null => {
  const rule = kept.matched_rule === null ? null : kept.rules[kept.matched_rule];
  if (rule === undefined) throw new Error('a kept explanation names a deciding rule that is not in it');
  return rule === null ? null : unfoldIdentity(kept, rule);
};

/** Restores an explanation of the earlier form as it was answered. */
export const unfoldWhole = (kept: WholeExplanation): Explanation => {
  const { folded: _, matched_rule: __, sources: ___, rules, stages, decision, ...rest } = kept;
  return {
    decision,
    matched_rule: decidingOf(kept),
    matched_rules: rules.map((rule) => unfoldRule(kept, rule)),
    ...rest,
    stages: stages.map((each) => (typeof each === 'string' ? { stage: each, outcome: 'passed' } : each)),
  };
};
