import type { PolicyCondition, PolicyRule } from '@svc/contract/policies/language.ts';
import { findField } from './find-field.ts';
import { isCatchAll } from './is-catch-all.ts';

const fieldsIn = (condition: PolicyCondition): string[] => {
  if ('all' in condition) return condition.all.flatMap(fieldsIn);
  if ('any' in condition) return condition.any.flatMap(fieldsIn);
  if ('not' in condition) return fieldsIn(condition.not);
  if ('any_element' in condition) return fieldsIn(condition.any_element.meets);
  const field = findField(condition.field);
  return 'fault' in field ? [] : [field.row.name];
};

/** Names of the rows of every field a condition reads, each once. */
export const fieldsRead = (when: PolicyRule['when']): string[] => (isCatchAll(when) ? [] : [...new Set(fieldsIn(when as PolicyCondition))]);
