import type { Explanation, StageFinding } from '@svc/contract/decisions.ts';
import type { ConditionTrace, ConsultedRule, MatchedRule } from '@svc/contract/policy-language.ts';
import type { CompiledRule } from '@svc/policy/compile-version.ts';
import { ALL_PASSED } from '../all-passed.ts';
import { type ConditionTexts, textsOf, writePairs } from './rule-texts.ts';

/** A value that may be absent, which is not the same as null. */
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

/** Every member is folded: one that is added to a rule or a condition and not named here does not compile. */
type Folded = 'id' | 'effect' | 'reason' | 'outcome' | 'matched_on_missing' | 'conditions' | 'currency';
type FoldedSource = 'policy_id' | 'policy_name' | 'version_id' | 'version_number' | 'binding';
type FoldedCondition = 'path' | 'field' | 'op' | 'expected' | 'actual' | 'outcome' | 'unknown_because';
type Unfolded = Exclude<keyof ConsultedRule, Folded | FoldedSource> | Exclude<keyof ConditionTrace, FoldedCondition>;
const WHOLE: [Unfolded] extends [never] ? 1 : never = 1;

/**
 * An explanation as it is kept. Nothing is left out, but what the rules of one version have in common is written once and the names that
 * every rule and condition has are not written at all: less than half the size, so that a record is stored as it is and not compressed.
 */
export type FoldedExplanation = Omit<Explanation, 'matched_rule' | 'matched_rules' | 'stages'> & {
  readonly folded: 1;
  /** The place of the deciding rule in `rules`. */
  readonly matched_rule: number | null;
  readonly sources: readonly Source[];
  readonly rules: readonly Rule[];
  /** A stage that passed without a remark is its name. */
  readonly stages: readonly (string | StageFinding)[];
};

const keepCondition = ({ kept }: ConditionTexts, { actual, outcome, unknown_because }: ConditionTrace): string => {
  const met = actual === undefined ? '0' : `[${JSON.stringify(actual)}]`;
  const because = unknown_because === null ? 'null' : `"${unknown_because}"`;
  return `${kept}${met},"${outcome}",${because}]`;
};

const keepStage = (finding: StageFinding): string | StageFinding =>
  finding.outcome === 'passed' && finding.code === undefined && finding.note === undefined ? finding.stage : finding;

const ALL_PASSED_TEXT = JSON.stringify(ALL_PASSED.map(keepStage));

const keepStages = (stages: readonly StageFinding[]): string =>
  stages === ALL_PASSED ? ALL_PASSED_TEXT : JSON.stringify(stages.map(keepStage));

/** The place of the deciding rule. It is one of those consulted; what could not be read again is not kept in the first place. */
const placeOf = ({ matched_rule }: Explanation, rules: readonly CompiledRule[]): number | null => {
  if (matched_rule === null) return null;
  const place = rules.findIndex(({ identity }) => identity === matched_rule);
  if (place < 0) throw new Error('the rule that decided is none of those consulted');
  return place;
};

/** The text of a FoldedExplanation. `rules` are those behind its `matched_rules`. */
export const foldExplanation = (explanation: Explanation, rules: readonly CompiledRule[]): string => {
  const { matched_rule: _, matched_rules, stages, ...rest } = explanation;
  const sources: string[] = [];
  const keepRule = (compiled: CompiledRule, { outcome, matched_on_missing, conditions, currency }: ConsultedRule): string => {
    const { source, keptId, keptEffect, conditions: texts } = textsOf(compiled);
    // Rules come ordered by where they are bound, so a source that repeats is nearly always the last one.
    if (sources.at(-1) !== source) sources.push(source);
    const kept = writePairs(texts, conditions, keepCondition);
    const end = currency === undefined ? ']]' : `],${JSON.stringify(currency)}]`;
    return `${keptId}${sources.length - 1}${keptEffect}${outcome}",${matched_on_missing},[${kept}${end}`;
  };
  const kept = writePairs(rules, matched_rules as unknown as readonly ConsultedRule[], keepRule);
  const begin = `{"folded":${WHOLE},"matched_rule":${placeOf(explanation, rules)},"sources":[${sources.join()}],"rules":[${kept}],`;
  return `${begin}"stages":${keepStages(stages)},${JSON.stringify(rest).slice(1)}`;
};
