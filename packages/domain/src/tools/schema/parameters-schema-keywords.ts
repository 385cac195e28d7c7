/**
 * The value kinds of JSON Schema 2020-12 keywords. `schema`, `list` and `map` contain subschemas; `plain` is an assertion over plain
 * values;
 * `note` asserts nothing and is not compiled. An unknown keyword is rejected: a misspelt `maxLenght` would silently check nothing.
 */
export const SCHEMA_KEYWORDS = {
  $defs: 'map',
  properties: 'map',
  patternProperties: 'map',
  dependentSchemas: 'map',
  additionalProperties: 'schema',
  unevaluatedProperties: 'schema',
  propertyNames: 'schema',
  items: 'schema',
  contains: 'schema',
  not: 'schema',
  if: 'schema',
  then: 'schema',
  else: 'schema',
  prefixItems: 'list',
  allOf: 'list',
  anyOf: 'list',
  oneOf: 'list',
  $ref: 'plain',
  type: 'plain',
  enum: 'plain',
  const: 'plain',
  format: 'plain',
  pattern: 'plain',
  minLength: 'plain',
  maxLength: 'plain',
  minimum: 'plain',
  maximum: 'plain',
  exclusiveMinimum: 'plain',
  exclusiveMaximum: 'plain',
  multipleOf: 'plain',
  minItems: 'plain',
  maxItems: 'plain',
  uniqueItems: 'plain',
  minContains: 'plain',
  maxContains: 'plain',
  minProperties: 'plain',
  maxProperties: 'plain',
  required: 'plain',
  dependentRequired: 'plain',
  $schema: 'note',
  $id: 'note',
  $comment: 'note',
  title: 'note',
  description: 'note',
  default: 'note',
  examples: 'note',
  deprecated: 'note',
  readOnly: 'note',
  writeOnly: 'note',
  contentEncoding: 'note',
  contentMediaType: 'note',
  contentSchema: 'note',
} as const;

export type SchemaKeyword = keyof typeof SCHEMA_KEYWORDS;

export const isSchemaKeyword = (word: string): word is SchemaKeyword => Object.hasOwn(SCHEMA_KEYWORDS, word);

/** Keywords whose subschemas judge the same value again rather than a part of it. */
export const judgesSameValue: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas']);

/** A schema as an object; a boolean schema and anything misplaced are not. */
export const isSchemaObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The subschemas directly under one keyword, each with the tokens that lead to it. */
export const subschemasUnder = (keyword: string, value: unknown): readonly (readonly [tokens: readonly string[], schema: unknown])[] => {
  const kind = isSchemaKeyword(keyword) ? SCHEMA_KEYWORDS[keyword] : 'note';
  if (kind === 'schema') return [[[keyword], value]];
  if (kind === 'list' && Array.isArray(value)) return value.map((schema, index) => [[keyword, String(index)], schema] as const);
  if (kind === 'map' && isSchemaObject(value)) return Object.entries(value).map(([name, schema]) => [[keyword, name], schema] as const);
  return [];
};

/** Patterns of one schema. */
export const PATTERNS_MAX = 32;
