import type { FieldCondition, PolicyCondition, PolicyRule } from '@svc/contract/policies/language.ts';
import { FIELDS } from './fields.ts';
import { isCatchAll } from './is-catch-all.ts';

/** One value of one indexed field. */
export type RequiredValue = { readonly field: string; readonly value: string };

const indexed: readonly string[] = FIELDS.filter((row) => row.indexed === true).map((row) => row.name);

const ofField = ({ field, op, value }: FieldCondition): readonly RequiredValue[] | null => {
  if (!indexed.includes(field)) return null;
  if (op === 'eq') return [{ field, value: String(value) }];
  if (op === 'in' && Array.isArray(value)) return value.map((element) => ({ field, value: String(element) }));
  return null;
};

const ofEvery = (parts: readonly PolicyCondition[]): readonly RequiredValue[] | null => {
  let fewest: readonly RequiredValue[] | null = null;
  for (const part of parts) {
    const required = ofCondition(part);
    if (required !== null && (fewest === null || required.length < fewest.length)) fewest = required;
  }
  return fewest;
};

const ofSome = (parts: readonly PolicyCondition[]): readonly RequiredValue[] | null => {
  const union: RequiredValue[] = [];
  for (const part of parts) {
    const required = ofCondition(part);
    if (required === null) return null;
    union.push(...required);
  }
  return union;
};

const ofCondition = (condition: PolicyCondition): readonly RequiredValue[] | null => {
  if ('all' in condition) return ofEvery(condition.all);
  if ('any' in condition) return ofSome(condition.any);
  if ('not' in condition || 'any_element' in condition) return null;
  return ofField(condition);
};

/**
 * Returns values of which a request must have at least one for the condition to be anything but false; null if there is no such list.
 * A request whose indexed fields are all known and have none of them makes the condition false, not unknown,
 * so leaving the rule out changes no decision.
 */
export const requiredValues = (when: PolicyRule['when']): readonly RequiredValue[] | null =>
  isCatchAll(when) ? null : ofCondition(when as PolicyCondition);
