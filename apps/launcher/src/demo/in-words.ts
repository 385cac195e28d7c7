import type { ConsultedRule, FieldCondition, MatchedRule, PolicyRule } from '@svc/contract/policies/language.ts';
import type { Explanation } from '@svc/sdk/wire/answers.ts';

/** Operators in words, from the service's own builder schema: `lte` is "is at most". */
export type Words = ReadonlyMap<string, string>;

type Trace = ConsultedRule['conditions'][number];

const ANSWERS = { true: 'yes', false: 'no', unknown: '?' } as const;
const OUTCOMES = { matched: 'matches', not_matched: 'does not match', unknown: 'is unknown' } as const;
const EFFECT_WIDTH = 18;

const claim = (words: Words, field: string, op: string, value: unknown): string =>
  [field, words.get(op) ?? op, ...(value === undefined ? [] : [JSON.stringify(value)])].join(' ');

const traceLine = (words: Words, { field, op, expected, actual, outcome, unknown_because }: Trace): string => {
  const told = claim(words, field, op, expected);
  const known = actual === undefined || actual === expected ? '' : `; it is ${JSON.stringify(actual)}`;
  return `  ${ANSWERS[outcome].padEnd(5)}${told}${unknown_because === null ? known : `; it is ${unknown_because.replace('_', ' ')}`}`;
};

/** Formats every evaluated rule, condition by condition, and which one decided. */
export const formatEvaluatedRules = (explanation: Explanation, words: Words): string[] => {
  const decided = explanation.matched_rule as MatchedRule | null;
  const rules = explanation.matched_rules as unknown as readonly ConsultedRule[];
  const idWidth = Math.max(0, ...rules.map(({ id }) => id.length)) + 2;
  const lines = rules.flatMap((rule) => [
    `${rule.id.padEnd(idWidth)}${rule.effect.padEnd(EFFECT_WIDTH)}${OUTCOMES[rule.outcome]}${rule.id === decided?.id ? ', and decides: the strictest match wins' : ''}`,
    ...rule.conditions.map((condition) => traceLine(words, condition)),
  ]);
  const skipped = explanation.skipped_rules;
  return skipped === 0 ? lines : [...lines, `(${skipped} more ${skipped === 1 ? 'rule is' : 'rules are'} for other tools)`];
};

/** Formats the deciding rule on one line. */
export const formatDecidingRule = ({ matched_rule }: Explanation): string => {
  const rule = matched_rule as MatchedRule | null;
  if (rule === null) return 'no rule matches, so it is refused';
  return `rule ${rule.id} of policy "${rule.policy_name}", version ${rule.version_number}, says ${rule.effect}`;
};

/** Formats the findings of the pipeline's stages: the passed ones together, then the one that stopped it. */
export const formatStages = ({ stages }: Explanation): string => {
  const passed = stages.filter(({ outcome }) => outcome === 'passed').map(({ stage }) => stage);
  const others = stages.filter(({ outcome }) => outcome !== 'passed').map(({ stage, outcome }) => `${stage}: ${outcome}`);
  return [`passed: ${passed.join(', ')}`, ...others].join(' · ');
};

/** Formats a rule whose conditions must all match, on one line. */
export const formatRule = ({ id, effect, when }: PolicyRule, words: Words): string => {
  const all = (when as { readonly all?: readonly FieldCondition[] } | undefined)?.all ?? [when as FieldCondition];
  return `${id.padEnd(16)}${effect.padEnd(EFFECT_WIDTH)}when ${all.map(({ field, op, value }) => claim(words, field, op, value)).join(' and ')}`;
};
