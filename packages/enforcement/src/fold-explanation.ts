import type { Explanation, StageFinding } from '@svc/contract/decisions.ts';
import type { ConditionTrace, ConsultedRule, MatchedRule } from '@svc/contract/policy-language.ts';

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

const maybe = (value: unknown): Maybe => (value === undefined ? 0 : [value]);

const foldCondition = (c: ConditionTrace): Condition => [
  c.path,
  c.field,
  c.op,
  maybe(c.expected),
  maybe(c.actual),
  c.outcome,
  c.unknown_because,
];

const foldStage = (finding: StageFinding): string | StageFinding =>
  finding.outcome === 'passed' && finding.code === undefined && finding.note === undefined ? finding.stage : finding;

/** One version may be bound in several places, and each binding brings its rules. */
const isFrom = (one: MatchedRule, other: MatchedRule): boolean =>
  one.version_id === other.version_id && one.binding.id === other.binding.id && one.binding.scope === other.binding.scope;

/** Null for a decision that no rule made; undefined when the deciding rule is none of those consulted. */
const placeOf = (consulted: readonly ConsultedRule[], deciding: MatchedRule | null): number | null | undefined => {
  if (deciding === null) return null;
  const place = consulted.findIndex((rule) => rule.id === deciding.id && isFrom(rule, deciding));
  return place < 0 ? undefined : place;
};

export const foldExplanation = (explanation: Explanation): FoldedExplanation | Explanation => {
  const { matched_rule, matched_rules, stages, ...rest } = explanation;
  const consulted = matched_rules as unknown as readonly ConsultedRule[];
  const place = placeOf(consulted, matched_rule as MatchedRule | null);
  if (place === undefined) return explanation;
  const sources: Source[] = [];
  const rules: Rule[] = [];
  let last: ConsultedRule | undefined;
  for (const rule of consulted) {
    // Rules come ordered by where they are bound, so a source that repeats is nearly always the last one.
    if (last === undefined || !isFrom(last, rule))
      sources.push([rule.policy_id, rule.policy_name, rule.version_id, rule.version_number, rule.binding]);
    last = rule;
    const conditions = rule.conditions.map(foldCondition);
    const told = [rule.id, sources.length - 1, rule.effect, rule.reason, rule.outcome, rule.matched_on_missing, conditions] as const;
    rules.push(rule.currency === undefined ? told : [...told, rule.currency]);
  }
  return { folded: WHOLE, ...rest, matched_rule: place, sources, rules, stages: stages.map(foldStage) };
};
