import type { FieldCondition, PolicyCondition } from '@svc/contract/policies/language.ts';
import type { PolicyWarning } from '@svc/contract/policies/warnings.ts';
import type { AnalysedRule } from '../formula/formula.ts';
import { findField } from '../language/find-field.ts';
import { isCatchAll } from '../language/is-catch-all.ts';
import { below } from '../values/faults.ts';
import type { PathSegment } from '../values/path.ts';
import type { AnalysedTool } from './analysed-tool.ts';
import { buildElementSchema, readPresence } from './declared/declared-parameters.ts';

type Placed = { readonly condition: FieldCondition; readonly pointer: string };

const findConditions = (condition: PolicyCondition, pointer: string): Placed[] => {
  const ofAll = (parts: readonly PolicyCondition[], group: string): Placed[] =>
    parts.flatMap((part, index) => findConditions(part, below(below(pointer, group), index)));
  if ('all' in condition) return ofAll(condition.all, 'all');
  if ('any' in condition) return ofAll(condition.any, 'any');
  if ('not' in condition) return findConditions(condition.not, below(pointer, 'not'));
  if ('any_element' in condition) return findConditions(condition.any_element.meets, below(below(pointer, 'any_element'), 'meets'));
  return [{ condition, pointer }];
};

/** Returns true if the schema admits no value at the path, through the elements of lists as well. */
const isNowhere = (schema: unknown, segments: readonly PathSegment[]): boolean => {
  const star = segments.findIndex(({ each }) => each);
  if (star === -1) return readPresence(schema, segments).there === 'never';
  const found = star === 0 ? undefined : readPresence(schema, segments.slice(0, star));
  if (found === undefined || found.there === 'never') return found !== undefined;
  const rest = segments.slice(star + 1);
  return rest.length > 0 && isNowhere(buildElementSchema(found.schema), rest);
};

/**
 * Warns of each condition on elements of a list, in a group for one element or alone, whose path none of the rule's tools has.
 * Checks the path alone, since a condition on a value that is never present can be intended.
 */
export const elementsWithoutParameter = ({ rule, position }: AnalysedRule, tools: readonly AnalysedTool[]): PolicyWarning[] => {
  if (tools.length === 0 || isCatchAll(rule.when)) return [];
  return findConditions(rule.when as PolicyCondition, `/rules/${position}/when`).flatMap(({ condition, pointer }) => {
    const field = findField(condition.field);
    if ('fault' in field || field.row.family !== 'path' || !field.wildcard) return [];
    if (!tools.every((tool) => isNowhere(tool.parameters_schema, field.segments))) return [];
    const message = `No tool that this rule applies to has the parameter ${condition.field}.`;
    return [{ kind: 'unknown_parameter' as const, rule_id: rule.id, pointer, message }];
  });
};
