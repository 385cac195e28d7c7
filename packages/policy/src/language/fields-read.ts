import type { PolicyCondition, PolicyRule } from '@svc/contract/policies/language.ts';
import { type Field, findField } from './find-field.ts';
import { isCatchAll } from './is-catch-all.ts';

const namedIn = (condition: PolicyCondition): Field[] => {
  if ('all' in condition) return condition.all.flatMap(namedIn);
  if ('any' in condition) return condition.any.flatMap(namedIn);
  if ('not' in condition) return namedIn(condition.not);
  if ('any_element' in condition) return namedIn(condition.any_element.meets);
  const field = findField(condition.field);
  return 'fault' in field ? [] : [field];
};

/** Every field that a condition reads, as often as it does. */
export const fieldsNamed = (when: PolicyRule['when']): Field[] => (isCatchAll(when) ? [] : namedIn(when as PolicyCondition));

/** Names of the rows of every field a condition reads, each once. */
export const fieldsRead = (when: PolicyRule['when']): string[] => [...new Set(fieldsNamed(when).map(({ row }) => row.name))];
