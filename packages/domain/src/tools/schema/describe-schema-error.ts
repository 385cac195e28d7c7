import { truncateText } from '@svc/policy/values/truncate-text.ts';
import type { ErrorObject } from 'ajv';
import type { Fault } from '../fault.ts';
import { formatPointer } from '../json-pointer.ts';

const listedMax = 10;
const shownMax = 60;

const show = (value: unknown): string => {
  const text = JSON.stringify(value) ?? '';
  return text.length > shownMax ? `${truncateText(text, shownMax)}...` : text;
};

const list = (values: readonly unknown[]): string => {
  const shown = values.slice(0, listedMax).map(show).join(', ');
  return values.length > listedMax ? `${shown} and ${values.length - listedMax} more` : shown;
};

const articles: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  null: 'null',
};

const typeNames = (type: unknown): string =>
  [type]
    .flat()
    .map((each) => articles[String(each)] ?? String(each))
    .join(' or ');

const declaredNames = (error: ErrorObject): string => {
  const properties: unknown = error.parentSchema?.properties;
  const names = typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
  return names.length === 0 ? 'is not a known parameter' : `is not a known parameter; must be one of ${list(names)}`;
};

type Describe = (error: ErrorObject) => string;
const bound =
  (words: string, unit = ''): Describe =>
  ({ schema }) =>
    `must ${words} ${String(schema)}${unit}`;

/** Corrections by keyword. They repeat only words of the schema, never the value, which may be secret. */
const sentences: Readonly<Record<string, Describe>> = {
  type: ({ schema }) => `must be ${typeNames(schema)}`,
  required: () => 'is required',
  dependentRequired: ({ params }) => `is required together with ${show(params.property)}`,
  additionalProperties: declaredNames,
  unevaluatedProperties: declaredNames,
  propertyNames: () => 'has a name that is not allowed',
  enum: ({ schema }) => `must be one of ${list(Array.isArray(schema) ? schema : [])}`,
  const: ({ schema }) => `must be ${show(schema)}`,
  format: ({ schema }) => `must have the format ${String(schema)}`,
  pattern: ({ schema }) => `must match the pattern ${show(schema)}`,
  minimum: bound('be at least'),
  maximum: bound('be at most'),
  exclusiveMinimum: bound('be more than'),
  exclusiveMaximum: bound('be less than'),
  multipleOf: bound('be a multiple of'),
  minLength: bound('have at least', ' characters'),
  maxLength: bound('have at most', ' characters'),
  minItems: bound('have at least', ' items'),
  maxItems: bound('have at most', ' items'),
  minProperties: bound('have at least', ' members'),
  maxProperties: bound('have at most', ' members'),
  uniqueItems: () => 'must not contain duplicate items',
  items: ({ params }) => `must have at most ${String(params.limit)} items`,
  contains: () => 'must contain an item that matches the contains schema',
  not: () => 'must not match the schema in not',
  anyOf: () => 'must match at least one of the allowed schemas',
  oneOf: ({ params }) =>
    params.passingSchemas === null ? 'must match at least one of the allowed schemas' : 'must match exactly one of the allowed schemas',
  'false schema': () => 'is not allowed',
};

/** The member that an error is about, when that is below the object it was found in. */
const getMember = ({ keyword, params }: ErrorObject): string | undefined => {
  const named: Readonly<Record<string, unknown>> = {
    required: params.missingProperty,
    dependentRequired: params.missingProperty,
    additionalProperties: params.additionalProperty,
    unevaluatedProperties: params.unevaluatedProperty,
    propertyNames: params.propertyName,
  };
  const member = Object.hasOwn(named, keyword) ? named[keyword] : undefined;
  return typeof member === 'string' ? member : undefined;
};

/** Converts one error of the compiled schema to a fault below `prefix`. */
export const describeSchemaError = (error: ErrorObject, prefix: string): Fault => {
  const member = getMember(error);
  const describe = Object.hasOwn(sentences, error.keyword) ? sentences[error.keyword] : undefined;
  return {
    pointer: prefix + error.instancePath + (member === undefined ? '' : formatPointer([member])),
    message: describe?.(error) ?? 'does not match the schema',
  };
};
