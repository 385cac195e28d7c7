import type { Explanation, StageFinding } from '@svc/contract/actions/decisions.ts';
import type { ConditionTrace, ConsultedRule } from '@svc/contract/policies/language.ts';
import type { CompiledRule } from '@svc/policy/judge/compile-version.ts';
import { ALL_PASSED } from '../decision/all-passed.ts';
import { buildRuleTexts, writePairs } from './rule-texts.ts';
import { serializeValue } from './value-text.ts';

const ALL_PASSED_TEXT = JSON.stringify(ALL_PASSED);

const tellStages = (stages: readonly StageFinding[]): string => (stages === ALL_PASSED ? ALL_PASSED_TEXT : JSON.stringify(stages));

const tellCondition = (told: string, { actual, outcome, unknown_because }: ConditionTrace): string => {
  const met = actual === undefined ? '' : `,"actual":${serializeValue(actual)}`;
  const because = unknown_because === null ? 'null' : `"${unknown_because}"`;
  return `${told}${met},"outcome":"${outcome}","unknown_because":${because}}`;
};

const tellRule = (compiled: CompiledRule, { outcome, matched_on_missing, conditions, currency }: ConsultedRule): string => {
  const texts = buildRuleTexts(compiled);
  const end = currency === undefined ? ']}' : `],"currency":${JSON.stringify(currency)}}`;
  const told = writePairs(texts.conditions, conditions, tellCondition);
  return `${texts.told}${outcome}","matched_on_missing":${matched_on_missing},"conditions":[${told}${end}`;
};

/** Serializes the deciding rule, which is one of the evaluated ones. */
const tellDeciding = ({ matched_rule }: Explanation, rules: readonly CompiledRule[]): string => {
  if (matched_rule === null) return 'null';
  const deciding = rules.find(({ identity }) => identity === matched_rule);
  return deciding === undefined ? JSON.stringify(matched_rule) : buildRuleTexts(deciding).identity;
};

/**
 * Serializes an explanation like `JSON.stringify`, in half its time, since most of it is constant per rule. `rules` are those of its
 * `matched_rules`.
 */
export const serializeExplanation = (explanation: Explanation, rules: readonly CompiledRule[]): string => {
  const { decision, matched_rule: _, matched_rules, stages, ...rest } = explanation;
  const consulted = writePairs(rules, matched_rules as unknown as readonly ConsultedRule[], tellRule);
  const deciding = tellDeciding(explanation, rules);
  const begin = `{"decision":"${decision}","matched_rule":${deciding},"matched_rules":[${consulted}],"stages":${tellStages(stages)},`;
  return begin + JSON.stringify(rest).slice(1);
};
