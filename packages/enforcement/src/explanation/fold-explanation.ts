import type { Explanation, StageFinding } from '@svc/contract/actions/decisions.ts';
import type { ConditionTrace, ConsultedRule, MatchedRule } from '@svc/contract/policies/language.ts';
import type { CompiledRule } from '@svc/policy/judge/compile-version.ts';
import { ALL_PASSED } from '../decision/all-passed.ts';
import type { ConditionStatics, RuleStatics } from './rule-statics.ts';
import { buildRuleTexts, writePairs } from './rule-texts.ts';
import { STAGE_LISTS } from './stage-lists.ts';
import { serializeValue } from './value-text.ts';

type Because = NonNullable<ConditionTrace['unknown_because']>;
/** Outcome of a condition, or why it is unknown, and the actual value; absent differs from null. */
type Condition = readonly [outcome: 1 | 0 | Because, actual?: unknown];
type Source = readonly [policyId: string, policyName: string, versionId: string, versionNumber: number, binding: MatchedRule['binding']];
type Rule = readonly [
  id: string,
  source: number,
  outcome: ConsultedRule['outcome'],
  onMissing: boolean,
  conditions: readonly Condition[],
  currency?: string,
];

/** Members that are folded or derived from the version. A new member of a rule or a condition that is not named here does not compile. */
type Folded = 'id' | 'outcome' | 'matched_on_missing' | 'conditions' | 'currency';
type FoldedSource = 'policy_id' | 'policy_name' | 'version_id' | 'version_number' | 'binding';
type FoldedCondition = 'actual' | 'outcome' | 'unknown_because';
type Unfolded =
  | Exclude<keyof ConsultedRule, Folded | FoldedSource | keyof RuleStatics>
  | Exclude<keyof ConditionTrace, FoldedCondition | keyof ConditionStatics>;
const REFERRING: [Unfolded] extends [never] ? 2 : never = 2;

/**
 * Stored form of an explanation. It is lossless: what a rule states in each of its decisions is read from its immutable policy version;
 * only the rest is stored, without member names. So a record is small.
 */
export type FoldedExplanation = Omit<Explanation, 'matched_rule' | 'matched_rules' | 'stages'> & {
  readonly folded: 2;
  /** Index of the deciding rule in `rules`. */
  readonly matched_rule: number | null;
  readonly sources: readonly Source[];
  readonly rules: readonly Rule[];
  /** Index in STAGE_LISTS if all stages passed; otherwise each stage, one without a remark as its name only. */
  readonly stages: number | readonly (string | StageFinding)[];
};

const DECIDED: Readonly<Record<Exclude<ConditionTrace['outcome'], 'unknown'>, string>> = { true: '[1', false: '[0' };

const keepOutcome = ({ outcome, unknown_because }: ConditionTrace): string => {
  if (unknown_because === null && outcome !== 'unknown') return DECIDED[outcome];
  if (unknown_because !== null && outcome === 'unknown') return `["${unknown_because}"`;
  throw new Error('a condition is unknown without a reason, or known with one');
};

const keepCondition = (_: unknown, condition: ConditionTrace): string => {
  const { actual } = condition;
  return actual === undefined ? `${keepOutcome(condition)}]` : `${keepOutcome(condition)},${serializeValue(actual)}]`;
};

const keepStage = (finding: StageFinding): string | StageFinding =>
  finding.outcome === 'passed' && finding.code === undefined && finding.note === undefined ? finding.stage : finding;

const keepEachStage = (stages: readonly StageFinding[]): string => JSON.stringify(stages.map(keepStage));

const keepAllPassed = (): string => {
  const each = keepEachStage(ALL_PASSED);
  const place = STAGE_LISTS.findIndex((list) => JSON.stringify(list) === each);
  return place < 0 ? each : String(place);
};
const ALL_PASSED_TEXT = keepAllPassed();

const keepStages = (stages: readonly StageFinding[]): string => (stages === ALL_PASSED ? ALL_PASSED_TEXT : keepEachStage(stages));

/** Returns the index of the deciding rule. It is one of the evaluated ones; what could not be read back is never stored. */
const placeOf = ({ matched_rule }: Explanation, rules: readonly CompiledRule[]): number | null => {
  if (matched_rule === null) return null;
  const place = rules.findIndex(({ identity }) => identity === matched_rule);
  if (place < 0) throw new Error('the rule that decided is none of those consulted');
  return place;
};

/** Serializes a FoldedExplanation. `rules` are those of its `matched_rules`. */
export const foldExplanation = (explanation: Explanation, rules: readonly CompiledRule[]): string => {
  const { matched_rule: _, matched_rules, stages, ...rest } = explanation;
  const sources: string[] = [];
  const keepRule = (compiled: CompiledRule, { outcome, matched_on_missing, conditions, currency }: ConsultedRule): string => {
    const { source, kept, conditions: texts } = buildRuleTexts(compiled);
    // Rules are ordered by their binding, so a repeated source is nearly always the last one.
    if (sources.at(-1) !== source) sources.push(source);
    const end = currency === undefined ? ']]' : `],${JSON.stringify(currency)}]`;
    return `${kept}${sources.length - 1},"${outcome}",${matched_on_missing},[${writePairs(texts, conditions, keepCondition)}${end}`;
  };
  const kept = writePairs(rules, matched_rules as unknown as readonly ConsultedRule[], keepRule);
  const begin = `{"folded":${REFERRING},"matched_rule":${placeOf(explanation, rules)},"sources":[${sources.join()}],"rules":[${kept}],`;
  return `${begin}"stages":${keepStages(stages)},${JSON.stringify(rest).slice(1)}`;
};
