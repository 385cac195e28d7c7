import type { PolicyRule } from '@svc/contract/policies/language.ts';
import { fieldsNamed } from '../language/fields-read.ts';
import { findField, type PolicyField } from '../language/find-field.ts';
import { type AnalysedTool, fixedValue, presence } from './analysed-tool.ts';

/** A tool before and after a change, and if its destinations change too, which no analysis reads. */
export type ToolMove = { readonly before: AnalysedTool; readonly after: AnalysedTool; readonly movesDestinations: boolean };

const COUNTED = ['amount', 'currency'].map(findField).filter((field): field is PolicyField => !('fault' in field));

/** Returns the pointer to the value of a field in a request for the tool; undefined for a field that no member of the declaration names. */
const declaredPointer = (
  { amount_from, currency_from, destination_from }: AnalysedTool,
  { name }: PolicyField,
): string | null | undefined => {
  if (name === 'amount') return amount_from;
  if (name === 'currency') return currency_from;
  return name.startsWith('destination.') ? destination_from : undefined;
};

const isMoved = ({ before, after, movesDestinations }: ToolMove, field: PolicyField): boolean => {
  if (field.name.startsWith('destination.') && movesDestinations) return true;
  if (declaredPointer(before, field) !== declaredPointer(after, field)) return true;
  if (fixedValue(before, field.name) !== fixedValue(after, field.name)) return true;
  const [was, is] = [presence(before, field), presence(after, field)];
  if (was.there === 'unsaid' && is.there === 'unsaid')
    return JSON.stringify(before.parameters_schema) !== JSON.stringify(after.parameters_schema);
  return JSON.stringify(was) !== JSON.stringify(is);
};

/** Returns the fields that a rule reads in its condition, and to count amounts. */
const ruleFields = ({ when, limit }: PolicyRule): PolicyField[] =>
  limit?.max_amount === undefined ? fieldsNamed(when) : [...fieldsNamed(when), ...COUNTED];

/** Returns the distinct names of changed fields that a rule reads: those whose value in a request for the tool could differ afterwards. */
export const listTouchedFields = (rule: PolicyRule, move: ToolMove): string[] => [
  ...new Set(ruleFields(rule).flatMap((field) => (isMoved(move, field) ? [field.name] : []))),
];
