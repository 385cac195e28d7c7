import type { Explanation } from '@svc/contract/decisions.ts';
import type { ConditionTrace, ConsultedRule, MatchedRule } from '@svc/contract/policy-language.ts';
import type { FoldedExplanation } from './fold-explanation.ts';

type FoldedRule = FoldedExplanation['rules'][number];
type FoldedCondition = FoldedRule[6][number];

const unfoldCondition = ([path, field, op, expected, actual, outcome, because]: FoldedCondition): ConditionTrace =>
  ({
    path,
    field,
    op,
    ...(expected === 0 ? {} : { expected: expected[0] }),
    ...(actual === 0 ? {} : { actual: actual[0] }),
    outcome,
    unknown_because: because,
  }) as ConditionTrace;

const unfoldIdentity = (folded: FoldedExplanation, [id, place, effect, reason]: FoldedRule): MatchedRule => {
  const source = folded.sources[place];
  if (source === undefined) throw new Error(`a kept explanation names no source for its rule ${id}`);
  const [policy_id, policy_name, version_id, version_number, binding] = source;
  return { id, policy_id, policy_name, version_id, version_number, effect, reason, binding } as MatchedRule;
};

const unfoldRule = (folded: FoldedExplanation, rule: FoldedRule): ConsultedRule => {
  const [, , , , outcome, matched_on_missing, conditions, currency] = rule;
  const found = { outcome, matched_on_missing, conditions: conditions.map(unfoldCondition) };
  return { ...unfoldIdentity(folded, rule), ...found, ...(currency === undefined ? {} : { currency }) } as ConsultedRule;
};

const decidingOf = (folded: FoldedExplanation): MatchedRule | null => {
  const rule = folded.matched_rule === null ? null : folded.rules[folded.matched_rule];
  if (rule === undefined) throw new Error('a kept explanation names a deciding rule that is not in it');
  return rule === null ? null : unfoldIdentity(folded, rule);
};

/** A kept explanation as it was answered; one that was never folded stays as it is. Throws on what `foldExplanation` did not write. */
export const unfoldExplanation = (kept: FoldedExplanation | Explanation): Explanation => {
  if (!('folded' in kept)) return kept;
  const { folded: _, matched_rule: __, sources: ___, rules, stages, decision, ...rest } = kept;
  return {
    decision,
    matched_rule: decidingOf(kept),
    matched_rules: rules.map((rule) => unfoldRule(kept, rule)),
    ...rest,
    stages: stages.map((each) => (typeof each === 'string' ? { stage: each, outcome: 'passed' } : each)),
  };
};
