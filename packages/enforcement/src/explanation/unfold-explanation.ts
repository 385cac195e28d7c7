import type { Explanation, StageFinding } from '@svc/contract/actions/decisions.ts';
import type { ConditionTrace, ConsultedRule, MatchedRule } from '@svc/contract/policies/language.ts';
import type { FoldedExplanation } from './fold-explanation.ts';
import type { ConditionStatics, VersionStatics } from './rule-statics.ts';
import { STAGE_LISTS } from './stage-lists.ts';
import { unfoldWhole, type WholeExplanation } from './unfold-whole.ts';

/** Every stored form of an explanation. */
export type KeptExplanation = FoldedExplanation | WholeExplanation | Explanation;

/** Constant parts of versions, by id. */
export type Versions = ReadonlyMap<string, VersionStatics>;

type FoldedRule = FoldedExplanation['rules'][number];
type FoldedCondition = FoldedRule[4][number];

const REASONS: Readonly<Record<NonNullable<ConditionTrace['unknown_because']>, true>> = { missing: true, wrong_type: true, too_long: true };

const unfoldOutcome = (outcome: FoldedCondition[0]): Pick<ConditionTrace, 'outcome' | 'unknown_because'> => {
  if (outcome === 1) return { outcome: 'true', unknown_because: null };
  if (outcome === 0) return { outcome: 'false', unknown_because: null };
  if (Object.hasOwn(REASONS, outcome)) return { outcome: 'unknown', unknown_because: outcome };
  throw new Error(`a kept explanation holds an outcome that is none: ${outcome}`);
};

const unfoldCondition = (statics: ConditionStatics, folded: FoldedCondition): ConditionTrace => ({
  ...statics,
  ...(folded.length === 1 ? {} : { actual: folded[1] }),
  ...unfoldOutcome(folded[0]),
});

const unfoldRule = (rule: FoldedRule, sources: FoldedExplanation['sources'], versions: Versions): ConsultedRule => {
  const [id, place, outcome, matched_on_missing, folded, currency] = rule;
  const source = sources[place];
  if (source === undefined) throw new Error(`a kept explanation names no source for its rule ${id}`);
  const [policy_id, policy_name, version_id, version_number, binding] = source;
  const statics = versions.get(version_id)?.get(id);
  if (statics === undefined) throw new Error(`the version ${version_id} that a kept explanation names has no rule ${id}, or is not there`);
  const { effect, reason, conditions } = statics;
  if (conditions.length !== folded.length) throw new Error(`a kept explanation does not fit the conditions of the rule ${id} it names`);
  return {
    ...{ id, policy_id, policy_name, version_id, version_number, effect, reason, binding },
    outcome,
    matched_on_missing,
    conditions: conditions.map((condition, index) => unfoldCondition(condition, folded[index] as FoldedCondition)),
    ...(currency === undefined ? {} : { currency }),
  };
};

const decidingOf = (place: number | null, rules: readonly ConsultedRule[]): MatchedRule | null => {
  if (place === null) return null;
  const rule = rules[place];
  if (rule === undefined) throw new Error('a kept explanation names a deciding rule that is not in it');
  const { outcome: _, matched_on_missing: __, conditions: ___, currency: ____, ...identity } = rule;
  return identity;
};

const unfoldStage = (each: string | StageFinding): StageFinding => (typeof each === 'string' ? { stage: each, outcome: 'passed' } : each);

const unfoldStages = (stages: FoldedExplanation['stages']): StageFinding[] => {
  const each = typeof stages === 'number' ? STAGE_LISTS[stages] : stages;
  if (each === undefined) throw new Error(`a kept explanation names a list of stages that is not there: ${stages}`);
  return each.map(unfoldStage);
};

/** Returns the ids of the versions that a stored explanation needs. */
export const listVersionIds = (kept: KeptExplanation): string[] =>
  'folded' in kept && kept.folded === 2 ? kept.sources.map(([, , versionId]) => versionId) : [];

/**
 * Restores an explanation as it was answered. Throws if `versions` lacks one that it names, and on input that `foldExplanation` did not
 * write: half an explanation would be a false one.
 */
export const unfoldExplanation = (kept: KeptExplanation, versions: Versions): Explanation => {
  if (!('folded' in kept)) return kept;
  if (kept.folded === 1) return unfoldWhole(kept);
  if (kept.folded !== 2) throw new Error('a kept explanation is folded in a way that is not known');
  const { folded: _, matched_rule, sources, rules, stages, decision, ...rest } = kept;
  const matched_rules = rules.map((rule) => unfoldRule(rule, sources, versions));
  return { decision, matched_rule: decidingOf(matched_rule, matched_rules), matched_rules, ...rest, stages: unfoldStages(stages) };
};
