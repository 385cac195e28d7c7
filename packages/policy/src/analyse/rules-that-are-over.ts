import type { FieldCondition, PolicyCondition, VersionBody } from '@svc/contract/policies/language.ts';
import type { PolicyWarning } from '@svc/contract/policies/warnings.ts';
import { isCatchAll } from '../language/is-catch-all.ts';

/** The offset of the last time zone: a date that has ended there has ended everywhere on earth. */
const BEHIND_MOST_MS = 12 * 3_600_000;

/** The value of a condition from today on, for ever; null if unknown. */
type FromNow = boolean | null;

const opposite = (settled: FromNow): FromNow => (settled === null ? null : !settled);

/** Evaluates a bound that has passed: dates do not return, and the field is always present. */
const ofDay = ({ op, value }: FieldCondition, today: string): FromNow => {
  const days = [value].flat() as string[];
  const [first = '', last = first] = days;
  const arePassed = days.every((day) => day < today);
  if (op === 'eq' || op === 'in') return arePassed ? false : null;
  if (op === 'neq' || op === 'not_in') return arePassed ? true : null;
  if (op === 'lt') return first <= today ? false : null;
  if (op === 'lte') return first < today ? false : null;
  if (op === 'gt') return first < today ? true : null;
  if (op === 'gte') return first <= today ? true : null;
  return op === 'between' && last < today ? false : null;
};

const fromNow = (condition: PolicyCondition, today: string): FromNow => {
  if ('all' in condition) return opposite(anyOf(condition.all.map((part) => opposite(fromNow(part, today)))));
  if ('any' in condition) return anyOf(condition.any.map((part) => fromNow(part, today)));
  if ('not' in condition) return opposite(fromNow(condition.not, today));
  return 'field' in condition && condition.field === 'time.date' ? ofDay(condition, today) : null;
};

const anyOf = (parts: readonly FromNow[]): FromNow => {
  if (parts.includes(true)) return true;
  return parts.every((part) => part === false) ? false : null;
};

/** Returns rules for dates that have passed, so that they no longer match. They did their job in their time, and may stay. */
export const rulesThatAreOver = ({ rules }: Pick<VersionBody, 'rules'>, now: Date): PolicyWarning[] => {
  const today = new Date(now.getTime() - BEHIND_MOST_MS).toISOString().slice(0, 10);
  return rules.flatMap(({ id, when }, position) => {
    if (isCatchAll(when) || fromNow(when as PolicyCondition, today) !== false) return [];
    const message = 'The dates of this rule have passed, so it no longer matches. Change the dates or remove the rule.';
    return [{ kind: 'over' as const, rule_id: id, pointer: `/rules/${position}/when`, message }];
  });
};
