import type { PolicyWarning } from '@svc/contract/policies/warnings.ts';
import type { AnalysedRule } from '../formula/formula.ts';
import { findField, type PolicyField } from '../language/find-field.ts';
import type { AnalysedTool } from './analysed-tool.ts';
import { named } from './bypasses.ts';
import { schemaAt } from './conditions-never-hold.ts';
import { readPresence, readTypes } from './declared/declared-parameters.ts';
import { isInFavour, type LooseCondition, listConditions } from './loose/list-conditions.ts';

/** Returns true if the rule has a different result for a text than for a list with that text, in favour of the requester. */
const isTurned = (asked: LooseCondition, rule: AnalysedRule): boolean => {
  const { op, value } = asked.condition;
  return (
    typeof value === 'string' && ((op === 'not_contains' && isInFavour(asked, rule)) || (op === 'contains' && !isInFavour(asked, rule)))
  );
};

/** Returns the types of the value at the path by the schema, any if it is silent; null if its form is not read. */
const typesAt = (schema: unknown, field: PolicyField): ReturnType<typeof readTypes> => {
  if (field.wildcard) {
    const found = schemaAt(schema, field);
    return found === undefined ? null : readTypes(found);
  }
  const { there, schema: found } = readPresence(schema, field.segments);
  return there === 'never' || there === 'unsaid' ? null : readTypes(found);
};

/**
 * Warns of a rule that looks for a piece of a text if a request can also give a list: each element of a list is compared whole, so the
 * piece
 * is not found, while the outgoing request can be the same, since queries and forms write a list of one as a text.
 */
export const warnOfListedTexts = (rule: AnalysedRule, tools: readonly AnalysedTool[]): PolicyWarning[] =>
  listConditions(rule)
    .filter((one) => isTurned(one, rule))
    .flatMap(({ condition, pointer }): PolicyWarning[] => {
      const field = findField(condition.field);
      if ('fault' in field || field.row.family !== 'path') return [];
      const names = tools.flatMap(({ name, parameters_schema }) => {
        const types = typesAt(parameters_schema, field);
        return types?.has('string') && types.has('array') ? [name] : [];
      });
      if (names.length === 0) return [];
      const message = `A request for ${named(names)} can send ${condition.field} as a list. List elements are compared as a whole, so text inside a list bypasses the condition. Declare its type in the parameters of the tool.`;
      return [{ kind: 'listed_text', rule_id: rule.rule.id, pointer, message }];
    });
