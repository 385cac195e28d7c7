import type { FieldCondition, PolicyCondition, PolicyRule } from '@svc/contract/policies/language.ts';
import { WORK } from '../evaluation/prices.ts';
import { below } from '../values/faults.ts';
import { isCatchAll } from './is-catch-all.ts';

/**
 * The position of a condition in a single-element group: the steps of its path that are walked again for each element, and if a `*` is
 * among them.
 */
export type WithinElement = { readonly steps: number; readonly hasStar: boolean };
export type PlacedCondition = { readonly condition: FieldCondition; readonly pointer: string; readonly within?: WithinElement };

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
    visit(meets, below(below(pointer, 'any_element'), 'meets'), (one) => {
      const after = one.condition.field.split('.').slice(steps);
      see({ ...one, within: { steps: after.length, hasStar: after.includes('*') } });
    });
  } else see({ condition, pointer });
};

/** Returns every condition on a field, with its JSON pointer in the rule's `when`. */
export const fieldConditions = (when: PolicyRule['when']): readonly PlacedCondition[] => {
  const found: PlacedCondition[] = [];
  if (!isCatchAll(when)) visit(when as PolicyCondition, '', (one) => found.push(one));
  return found;
};

/** Returns the work of consulting a rule and applying its masks, without the searches of its conditions. */
export const workOfRule = ({ when, mask }: PolicyRule): number =>
  WORK.rule + fieldConditions(when).length * WORK.condition + ((mask?.parameters?.length ?? 0) + (mask?.result?.length ?? 0)) * WORK.masked;
