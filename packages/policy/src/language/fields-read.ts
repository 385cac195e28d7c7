import type { PolicyCondition, PolicyRule } from '@svc/contract/policies/language.ts';
import { findField, type PolicyField } from './find-field.ts';
import { isCatchAll } from './is-catch-all.ts';

const namedIn = (condition: PolicyCondition): PolicyField[] => {
  if ('all' in condition) return condition.all.flatMap(namedIn);
  if ('any' in condition) return condition.any.flatMap(namedIn);
  if ('not' in condition) return namedIn(condition.not);
  if ('any_element' in condition) return namedIn(condition.any_element.meets);
  const field = findField(condition.field);
  return 'fault' in field ? [] : [field];
};

/** Returns every field that a condition reads, once per use. */
export const fieldsNamed = (when: PolicyRule['when']): PolicyField[] => (isCatchAll(when) ? [] : namedIn(when as PolicyCondition));

/** Returns the distinct row names of the fields that a condition reads. */
export const fieldsRead = (when: PolicyRule['when']): string[] => [...new Set(fieldsNamed(when).map(({ row }) => row.name))];
