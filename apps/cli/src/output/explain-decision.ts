import type { OperationTypes } from '@svc/client/client.ts';
import { isObject } from '../files/json-file.ts';
import { escapeControlCharacters, type Io, type Style } from '../terminal/io.ts';
import { formatAmount } from './money.ts';
import { getRelativeTime } from './print.ts';

export type ActionResult = OperationTypes['getAction']['result'];
export type ActionExplanation = ActionResult['explanation'];

type Condition = {
  readonly field: string;
  readonly op: string;
  readonly expected?: unknown;
  readonly actual?: unknown;
  readonly outcome: string;
  readonly unknown_because: string | null;
};
type Rule = {
  readonly id: string;
  readonly policy_id: string;
  readonly policy_name: string;
  readonly version_number: number;
  readonly effect: string;
  readonly outcome: string;
  readonly reason: string;
  readonly conditions: readonly Condition[];
};

const isCondition = (value: unknown): value is Condition =>
  isObject(value) && typeof value.field === 'string' && typeof value.outcome === 'string';
const isRule = (value: unknown): value is Rule => isObject(value) && typeof value.id === 'string' && Array.isArray(value.conditions);

export const listRules = ({ matched_rules }: ActionExplanation): readonly Rule[] =>
  matched_rules.filter(isRule).map((rule) => ({ ...rule, conditions: rule.conditions.filter(isCondition) }));

const MARKS: Readonly<Record<string, readonly [Style, string]>> = {
  true: ['green', 'ok'],
  false: ['red', 'no'],
  unknown: ['yellow', '??'],
};

const OPERATORS: Readonly<Record<string, string>> = {
  eq: '=',
  neq: '≠',
  lt: '<',
  lte: '≤',
  gt: '>',
  gte: '≥',
  in: 'is one of',
  not_in: 'is none of',
  exists: 'exists',
};

const shown = (value: unknown): string =>
  value === undefined ? '' : escapeControlCharacters(typeof value === 'string' ? `"${value}"` : JSON.stringify(value));

const conditionLine = (io: Io, { field, op, expected, actual, outcome, unknown_because }: Condition): string => {
  const [style, mark] = MARKS[outcome] ?? ['yellow', '??'];
  const reason = unknown_because === null ? '' : ` (${unknown_because})`;
  return `    ${io.paint(style, mark)} ${escapeControlCharacters(field)} is ${actual === undefined ? 'absent' : shown(actual)}; needed: ${OPERATORS[op] ?? op} ${shown(expected)}${reason}`;
};

const ruleLines = (io: Io, rule: Rule, decides: boolean): readonly string[] => {
  const outcome = rule.outcome === 'matched' ? (decides ? io.paint('bold', 'decides') : 'matches too') : rule.outcome.replace('_', ' ');
  return [
    `  rule ${escapeControlCharacters(rule.id)}  ${rule.effect}  ${escapeControlCharacters(rule.policy_name)} v${rule.version_number}  ${outcome}`,
    ...rule.conditions.map((condition) => conditionLine(io, condition)),
  ];
};

const STAGE_STYLES: Readonly<Record<string, Style>> = { passed: 'green', refused: 'red', held: 'yellow', relaxed: 'yellow' };

/** Why a decision is what it is: stages, rules with each condition, authority. */
export const formatExplanationLines = (io: Io, explanation: ActionExplanation): readonly string[] => {
  const decisive = isObject(explanation.matched_rule) ? explanation.matched_rule.id : undefined;
  const stages = explanation.stages.filter(({ outcome }) => outcome !== 'skipped');
  const notes = stages.filter(({ outcome, note }) => outcome !== 'passed' && note !== undefined);
  return [
    `  ${stages.map(({ stage, outcome }) => `${stage} ${io.paint(STAGE_STYLES[outcome] ?? 'dim', outcome === 'passed' ? 'ok' : outcome.toUpperCase())}`).join(' · ')}`,
    ...notes.map(({ stage, note }) => `  ${stage}: ${escapeControlCharacters(note ?? '')}`),
    ...listRules(explanation).flatMap((rule) => ruleLines(io, rule, rule.id === decisive)),
    ...(explanation.unknown_fields === undefined || explanation.unknown_fields.length === 0
      ? []
      : [`  Unknown: ${explanation.unknown_fields.map(escapeControlCharacters).join(', ')}`]),
  ];
};

const DECISION_STYLES: Readonly<Record<string, Style>> = {
  ALLOW: 'green',
  MASK: 'yellow',
  LIMIT: 'yellow',
  REQUIRE_APPROVAL: 'yellow',
  BLOCK: 'red',
};
export const DECISION_WORDS: Readonly<Record<string, string>> = {
  ALLOW: 'ALLOWED',
  MASK: 'MASKED',
  LIMIT: 'LIMITED',
  REQUIRE_APPROVAL: 'HELD',
  BLOCK: 'BLOCKED',
};

export const paintDecision = (io: Io, decision: string): string =>
  io.paint(DECISION_STYLES[decision] ?? 'dim', DECISION_WORDS[decision] ?? decision);

/** One action on one line. */
export const getActionLine = (
  io: Io,
  action: Pick<ActionResult, 'decision' | 'tool' | 'agent_name' | 'amount' | 'currency' | 'created_at' | 'id' | 'mode'>,
): string =>
  [
    paintDecision(io, action.decision),
    escapeControlCharacters(action.tool),
    `by ${escapeControlCharacters(action.agent_name)}`,
    formatAmount(action.amount, action.currency),
    io.table ? getRelativeTime(action.created_at) : action.created_at,
    action.mode === 'ENFORCE' ? '' : `(${action.mode.toLowerCase()})`,
    action.id,
  ]
    .filter((part) => part !== '')
    .join('  ');
