import { OPERATORS } from '@svc/contract/policies/language.ts';
import { OPERATOR_LABELS } from '@svc/contract/policies/operator-labels.ts';
import { POLICY_LIMITS } from '@svc/contract/tables/limits/policy-limits.ts';
import type { FieldRow } from '../language/field-row.ts';
import { FIELDS } from '../language/fields.ts';
import { GROUPS, type GroupName } from '../language/groups.ts';
import { OPERATOR_TABLE, type OperatorRow } from '../language/operators.ts';
import type { ConditionValueKind } from '../language/value-kinds.ts';
import { buildValueSchema, type Schema } from './value-schema.ts';

const getSentence = (group: GroupName): string | undefined => GROUPS.find(({ name }) => name === group)?.sentence;
const KEY = '([^.~*]|~[012])+';
/** A path that leads to several values. */
export const WITH_STAR = '(^|\\.)\\*{1,3}(\\.|$)';
/** The path of a list in the parameters; the last star stands for its elements. */
export const WITH_STAR_AT_END = '^parameters\\.(.*\\.)?\\*$';
const STEPS = `(\\*|${KEY})(\\.(\\*|${KEY})){0,${POLICY_LIMITS.path_segments_max - 1}}`;
/** A path in a mask. */
export const MASK_PATH_PATTERN = `^${STEPS}$`;
/** A path after the name of its family. */
export const PATH_PATTERN = `^(\\*{2,3}|${STEPS})$`;

const literal = (text: string): string => text.replaceAll('.', '\\.');

/** Returns the pattern of the names that a row stands for. */
const nameSchema = (row: FieldRow): Schema => {
  const prefix = literal(row.name.slice(0, -1));
  const key = row.key_pattern?.slice(1) ?? '[\\s\\S]';
  if (row.family === 'key') return { type: 'string', pattern: `^${prefix}${key}`, maxLength: POLICY_LIMITS.field_length_max };
  if (row.family === undefined) return { const: row.name };
  return { type: 'string', pattern: `^${prefix}${PATH_PATTERN.slice(1)}`, maxLength: POLICY_LIMITS.field_length_max };
};

const getRow = (name: (typeof OPERATORS)[number]): OperatorRow => OPERATOR_TABLE[name];

const valueRules = (row: FieldRow, fitting: readonly (typeof OPERATORS)[number][]): Schema[] =>
  [...new Set(fitting.map((name): ConditionValueKind => getRow(name).value))].map((kind) => ({
    if: { properties: { op: { enum: fitting.filter((name) => getRow(name).value === kind) } } },
    then: { properties: { value: buildValueSchema(row, kind) }, ...(kind === 'none' ? {} : { required: ['value'] }) },
  }));

/** Only a path with a star has several values; a negative condition on several must state the quantifier. */
const quantifierRule = (row: FieldRow, ofElement: boolean): Schema => {
  if (row.family !== 'path') return { properties: { quantifier: false } };
  // Only the service can see if there is a star after the element.
  if (ofElement) return {};
  const negative = OPERATORS.filter((name) => getRow(name).negative);
  return {
    if: { properties: { field: { pattern: WITH_STAR } } },
    then: { if: { properties: { op: { enum: negative } } }, then: { required: ['quantifier'] } },
    else: { properties: { quantifier: false } },
  };
};

const fieldRule = (row: FieldRow, ofElement: boolean): Schema => {
  const fitting = OPERATORS.filter((name) => getRow(name).fits.includes(row.type));
  return {
    if: { required: ['field'], properties: { field: nameSchema(row) } },
    then: { properties: { op: { enum: fitting } }, allOf: [...valueRules(row, fitting), quantifierRule(row, ofElement)] },
  };
};

const fieldNames = (rows: readonly FieldRow[]): Schema[] =>
  rows.map((row) => ({ ...(nameSchema(row) as object), title: row.name, description: row.sentence }));
const operatorNames = OPERATORS.map((name) => ({ const: name, title: OPERATOR_LABELS[name], description: getRow(name).sentence }));

/** Returns the schema of a condition on one field; `ofElement` for one inside a single-element group. */
export const buildFieldConditionSchema = (ofElement: boolean): Schema => {
  const rows = FIELDS.filter(({ family }) => !ofElement || family === 'path');
  return {
    type: 'object',
    additionalProperties: false,
    required: ['field', 'op'],
    description: 'Compares one field of the request.',
    properties: {
      field: { description: 'Request field to compare.', anyOf: fieldNames(rows) },
      op: { description: 'Comparison operator.', anyOf: operatorNames },
      value: { description: 'Value to compare with; omit it for operators that take no value.' },
      quantifier: {
        description: 'For paths with "*": whether one matching element is enough or all elements must match.',
        enum: ['any', 'all'],
      },
    },
    allOf: rows.map((row) => fieldRule(row, ofElement)),
  };
};

const group = (name: GroupName, inner: Schema): Schema => ({
  type: 'object',
  description: getSentence(name),
  additionalProperties: false,
  required: [name],
  properties: { [name]: inner },
});

type Names = { readonly of: 'condition' | 'element_condition'; readonly field: string };
const CONDITION: Names = { of: 'condition', field: 'field_condition' };
const ELEMENT: Names = { of: 'element_condition', field: 'element_field_condition' };
const refer = (name: string): Schema => ({ $ref: `#/$defs/${name}` });

/** The path of a list, with a star for its elements. */
const elementsOf: Schema = { type: 'string', maxLength: POLICY_LIMITS.field_length_max, pattern: WITH_STAR_AT_END };

const aboutElement = (depth: number): Schema =>
  group('any_element', {
    type: 'object',
    additionalProperties: false,
    required: ['of', 'meets'],
    properties: { of: elementsOf, meets: refer(`${ELEMENT.of}_${depth + 1}`) },
  });

const choose = (name: GroupName, schema: Schema, otherwise: Schema): Schema => ({
  if: { type: 'object', required: [name] },
  then: schema,
  else: otherwise,
});

const conditionAt = (names: Names, depth: number): Schema => {
  const field = refer(names.field);
  if (depth === POLICY_LIMITS.depth_max) return field;
  const inner = refer(`${names.of}_${depth + 1}`);
  const list = { type: 'array', minItems: 1, items: inner };
  const leaf = names === CONDITION ? choose('any_element', aboutElement(depth), field) : field;
  return choose('all', group('all', list), choose('any', group('any', list), choose('not', group('not', inner), leaf)));
};

/** Returns conditions by the number of enclosing groups; the innermost can only be on a field. A single-element group contains no other. */
export const buildConditionSchemas = (): Record<string, Schema> =>
  Object.fromEntries(
    [CONDITION, ELEMENT].flatMap((names) =>
      Array.from({ length: POLICY_LIMITS.depth_max + 1 }, (_, depth): [string, Schema] => [
        `${names.of}_${depth}`,
        conditionAt(names, depth),
      ]),
    ),
  );
