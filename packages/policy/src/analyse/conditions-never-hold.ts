import type { FieldCondition } from '@svc/contract/policies/language.ts';
import type { PolicyWarning } from '@svc/contract/policies/warnings.ts';
import type { AnalysedRule } from '../formula/formula.ts';
import { fieldConditions } from '../language/field-conditions.ts';
import { findField, type PolicyField } from '../language/find-field.ts';
import { isJsonObject } from '../values/check-members.ts';
import type { AnalysedTool } from './analysed-tool.ts';
import { buildElementSchema, type JsonType, readPresence, readTypes } from './declared/declared-parameters.ts';
import { getJsonType } from './declared/json-type.ts';

type Op = FieldCondition['op'];
const COMPARED: readonly Op[] = ['eq', 'neq', 'in', 'not_in'];
const SEARCHED: readonly Op[] = ['contains', 'not_contains'];
const ASKED: Partial<Record<Op, JsonType>> = {
  gt: 'number',
  gte: 'number',
  lt: 'number',
  lte: 'number',
  between: 'number',
  starts_with: 'string',
  ends_with: 'string',
  matches: 'string',
  eq_ignore_case: 'string',
  path_under: 'string',
  email_domain_in: 'string',
  cidr: 'string',
  is_true: 'boolean',
  is_false: 'boolean',
};
const PHRASES: Readonly<Record<JsonType | 'null', string>> = {
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'nothing',
};
const WORDS_SHOWN_MAX = 5;
const WORD_SHOWN_MAX = 40;

/** Returns the tools' schema at a path; undefined if it cannot be read or there is none. */
export const schemaAt = (schema: unknown, { segments }: Pick<PolicyField, 'segments'>): unknown => {
  const star = segments.findIndex(({ each }) => each);
  if (star === 0) return undefined;
  const { there, schema: found } = readPresence(schema, star === -1 ? segments : segments.slice(0, star));
  if (there === 'never' || there === 'unsaid') return undefined;
  if (star === -1) return found;
  const [element, rest] = [buildElementSchema(found), segments.slice(star + 1)];
  return element === undefined || rest.length === 0 ? element : schemaAt(element, { segments: rest });
};

const listValues = ({ value }: FieldCondition): readonly unknown[] => [value].flat();

/** Returns the types for which the condition is known; null for any. */
const askedTypes = (condition: FieldCondition): readonly JsonType[] | null => {
  const { op } = condition;
  const own = listValues(condition).map((value) => getJsonType(value) as JsonType);
  if (COMPARED.includes(op)) return own;
  if (SEARCHED.includes(op)) return own.includes('string') ? ['string', 'array'] : ['array'];
  const asked = ASKED[op];
  return asked === undefined ? null : [asked];
};

/** Returns false if no list of the schema can contain what makes the condition known; true if the schema does not say. */
const holdsAsked = (schema: unknown, condition: FieldCondition): boolean => {
  const elements = isJsonObject(schema) && schema.prefixItems === undefined ? readTypes(schema.items) : null;
  return elements === null || listValues(condition).some((value) => elements.has(getJsonType(value)));
};

const listWords = (schema: unknown): readonly unknown[] | null => {
  if (!isJsonObject(schema)) return null;
  return Array.isArray(schema.enum) ? schema.enum : Object.hasOwn(schema, 'const') ? [schema.const] : null;
};

/** Describes what the schema admits if the condition cannot match any of it; null if it may. */
const otherThanAsked = (schema: unknown, condition: FieldCondition): string | null => {
  const [types, asked] = [readTypes(schema), askedTypes(condition)];
  if (types === null || asked === null) return null;
  const fitting = asked.filter((type) => types.has(type));
  const [only, ...others] = fitting;
  if (only === undefined || (only === 'array' && others.length === 0 && SEARCHED.includes(condition.op) && !holdsAsked(schema, condition)))
    return [...types].flatMap((type) => (type === 'null' ? [] : PHRASES[type])).join(' or ');
  const words = COMPARED.includes(condition.op) ? listWords(schema) : null;
  if (words === null || listValues(condition).some((value) => words.includes(value))) return null;
  const shown = words.slice(0, WORDS_SHOWN_MAX).map((word) => JSON.stringify(word).slice(0, WORD_SHOWN_MAX));
  return `one of ${shown.join(', ')}${words.length > WORDS_SHOWN_MAX ? ' and others' : ''}`;
};

/**
 * Warns of each condition on a parameter that none of the rule's tools can satisfy: another type, or a word outside the enumeration. Alone
 * such a condition is never known, or always has the same result.
 */
export const conditionsNeverHold = ({ rule, position }: AnalysedRule, tools: readonly AnalysedTool[]): PolicyWarning[] =>
  fieldConditions(rule.when).flatMap(({ condition, pointer }) => {
    const field = findField(condition.field);
    if ('fault' in field || field.row.family !== 'path' || tools.length === 0) return [];
    let told: string | null = null;
    for (const tool of tools) {
      const schema = schemaAt(tool.parameters_schema, field);
      told = schema === undefined ? null : otherThanAsked(schema, condition);
      if (told === null) return [];
    }
    const message = `In every tool of this rule, ${condition.field} is ${told}, which "${condition.op}" with this value cannot distinguish.`;
    return [{ kind: 'never_holds' as const, rule_id: rule.id, pointer: `/rules/${position}/when${pointer}`, message }];
  });
