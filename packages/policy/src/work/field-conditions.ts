import type { FieldCondition, PolicyCondition, PolicyRule } from '@svc/contract/policy-language.ts';
import { below } from '../faults.ts';
import { isCatchAll } from '../is-catch-all.ts';

/** `stepsAfter` is how many steps of its path are walked anew from each element, where it stands in a group about one. */
export type PlacedCondition = { readonly condition: FieldCondition; readonly pointer: string; readonly stepsAfter?: number };

const visit = (condition: PolicyCondition, pointer: string, see: (one: PlacedCondition) => void): void => {
  const visitList = (parts: readonly PolicyCondition[], group: string): void => {
    for (const [index, part] of parts.entries()) visit(part, below(below(pointer, group), index), see);
  };
  if ('all' in condition) visitList(condition.all, 'all');
  else if ('any' in condition) visitList(condition.any, 'any');
  else if ('not' in condition) visit(condition.not, below(pointer, 'not'), see);
  else if ('any_element' in condition) {
    const { of, meets } = condition.any_element;
    const steps = of.split('.').length;
    visit(meets, below(below(pointer, 'any_element'), 'meets'), (one) =>
      see({ ...one, stepsAfter: one.condition.field.split('.').length - steps }),
    );
  } else see({ condition, pointer });
};

/** Every condition on a field, with its JSON pointer in the rule's `when`. */
export const fieldConditions = (when: PolicyRule['when']): readonly PlacedCondition[] => {
  const found: PlacedCondition[] = [];
  if (!isCatchAll(when)) visit(when as PolicyCondition, '', (one) => found.push(one));
  return found;
};

export const countConditions = (when: PolicyRule['when']): number => fieldConditions(when).length;
