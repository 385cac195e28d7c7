import type { FieldCondition, PolicyCondition } from '@svc/contract/policies/language.ts';
import type { PolicyWarning } from '@svc/contract/policies/warnings.ts';
import type { AnalysedRule } from '../formula/formula.ts';
import { type Field, findField } from '../language/find-field.ts';
import { isCatchAll } from '../language/is-catch-all.ts';
import { below } from '../values/faults.ts';
import type { AnalysedTool } from './analysed-tool.ts';
import { schemaAt } from './conditions-never-hold.ts';
import { presenceOf, typesOf } from './declared/declared-parameters.ts';
import { named } from './dodges.ts';

type Asked = { readonly condition: FieldCondition; readonly pointer: string; readonly holds: boolean };

/** Each condition, with whether the rule asks it to hold or not to. */
const askedIn = (condition: PolicyCondition, pointer: string, holds: boolean): Asked[] => {
  const ofAll = (parts: readonly PolicyCondition[], group: string): Asked[] =>
    parts.flatMap((part, index) => askedIn(part, below(below(pointer, group), index), holds));
  if ('all' in condition) return ofAll(condition.all, 'all');
  if ('any' in condition) return ofAll(condition.any, 'any');
  if ('not' in condition) return askedIn(condition.not, below(pointer, 'not'), !holds);
  if ('any_element' in condition) return askedIn(condition.any_element.meets, below(below(pointer, 'any_element'), 'meets'), holds);
  return [{ condition, pointer, holds }];
};

/** Whether the rule would say otherwise of a text than of a list with that text in it, and in favour of whoever asks. */
const isTurned = ({ condition: { op, value }, holds }: Asked, { rule }: AnalysedRule): boolean => {
  if (typeof value !== 'string' || (op !== 'contains' && op !== 'not_contains')) return false;
  return (op === 'contains') === (rule.effect === 'ALLOW' ? !holds : holds);
};

/** What a value at the path may be by the schema, anything where it says nothing; null where it says it in a way that is not read. */
const typesAt = (schema: unknown, field: Field): ReturnType<typeof typesOf> => {
  if (field.wildcard) {
    const found = schemaAt(schema, field);
    return found === undefined ? null : typesOf(found);
  }
  const { there, schema: found } = presenceOf(schema, field.segments);
  return there === 'never' || there === 'unsaid' ? null : typesOf(found);
};

/**
 * Warnings where a rule looks for a piece of a text that a request can also give as a list: of that each element is compared whole, so the piece
 * is not found, and what leaves can be the very same, since queries and forms write a list of one as a text.
 */
export const listedTexts = (rule: AnalysedRule, tools: readonly AnalysedTool[]): PolicyWarning[] => {
  if (isCatchAll(rule.rule.when)) return [];
  const asked = askedIn(rule.rule.when as PolicyCondition, `/rules/${rule.position}/when`, true);
  return asked
    .filter((one) => isTurned(one, rule))
    .flatMap(({ condition, pointer }): PolicyWarning[] => {
      const field = findField(condition.field);
      if ('fault' in field || field.row.family !== 'path') return [];
      const names = tools.flatMap(({ name, parameters_schema }) => {
        const types = typesAt(parameters_schema, field);
        return types?.has('string') && types.has('array') ? [name] : [];
      });
      if (names.length === 0) return [];
      const message = `A request for ${named(names)} can give ${condition.field} as a list, whose elements are compared whole, so a text that is put into a list gets past. Say its type in the parameters of the tool.`;
      return [{ kind: 'listed_text', rule_id: rule.rule.id, pointer, message }];
    });
};
