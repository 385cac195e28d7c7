import type { PolicyWarning } from '@svc/contract/policies/warnings.ts';
import type { AnalysedRule } from '../../formula/formula.ts';
import { findField, type PolicyField, withinElement } from '../../language/find-field.ts';
import { isInFavour, type LooseCondition, listConditions } from './list-conditions.ts';

/** Returns the field if it leads to several values; relative to each element in a single-element group. */
const severalValues = ({ condition, of }: LooseCondition): PolicyField | null => {
  const field = findField(condition.field);
  const list = of === null ? null : findField(of);
  if ('fault' in field || (list !== null && 'fault' in list)) return null;
  const read = list === null ? field : withinElement(field, list);
  return read.wildcard ? read : null;
};

/**
 * Warns of rules in which one matching element is enough for a permission, or to keep a strict rule from matching, unless the rule states
 * the
 * intent: one internal recipient among external ones.
 */
export const oneElement = (rule: AnalysedRule): PolicyWarning[] =>
  listConditions(rule)
    .filter((asked) => isInFavour(asked, rule) && asked.condition.quantifier === undefined)
    .flatMap((asked): PolicyWarning[] => {
      if (severalValues(asked) === null) return [];
      const { pointer, condition } = asked;
      const then = rule.rule.effect === 'ALLOW' ? 'is enough for this' : 'is enough to keep this rule from matching';
      const message = `One value of ${condition.field} ${then}, independent of the others. Set "quantifier": "all" if all values must match, or "any" if one is enough.`;
      return [{ kind: 'one_element', rule_id: rule.rule.id, pointer, message }];
    });
