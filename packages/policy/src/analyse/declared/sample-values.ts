import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import { exploreTexts } from '@svc/solver/automata/explore-texts.ts';
import { buildPatternAutomaton } from '@svc/solver/automata/pattern-automaton.ts';
import { isJsonObject } from '../../values/check-members.ts';
import { schemaPatternSource } from '../../values/linear-pattern.ts';
import type { PathSegment } from '../../values/path.ts';
import { listAlternatives } from './alternatives.ts';
import { buildMemberSchemas, evaluateSchema, isFound } from './evaluate-schema.ts';
import { FORMAT_SAMPLES } from './format-samples.ts';

const BASE: readonly unknown[] = ['text', '', 'a', '9', 'true', 1, 0, 10, 0.5, -1, true, false, null, {}, []];
const LENGTH_MAX = 200;
const DEPTH_MAX = 6;
const VALUES_MAX = 80;
const PATTERN_STEPS = 20_000;

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Shortest texts in which a pattern is found, and is not. */
const textsFor = (pattern: unknown): string[] => {
  const source = typeof pattern === 'string' && isFound(pattern, '') !== undefined ? schemaPatternSource(pattern) : null;
  const automaton = source === null ? null : buildPatternAutomaton(source, false);
  if (automaton === null) return [];
  return [...exploreTexts({ judges: [automaton], within: [], without: null }, { left: PATTERN_STEPS }).texts.values()];
};

const numbersFor = (schema: JsonObject): number[] =>
  ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'].flatMap((keyword) => {
    const bound = schema[keyword];
    return typeof bound === 'number' ? [bound, bound + 1, bound - 1, bound * 2] : [];
  });

const textsOfLength = (schema: JsonObject): string[] =>
  [schema.minLength, schema.maxLength].flatMap((length) =>
    typeof length === 'number' && length <= LENGTH_MAX ? ['a'.repeat(length), '9'.repeat(length)] : [],
  );

const findParts = ({ allOf, anyOf, oneOf, not, if: condition, then: held, else: otherwise }: JsonObject): JsonObject[] =>
  [...listOf(allOf), ...listOf(anyOf), ...listOf(oneOf), not, condition, held, otherwise].filter(isJsonObject);

/** The schemas that a schema combines or forbids, at any depth. */
const nestedParts = (schema: JsonObject): JsonObject[] => findParts(schema).flatMap((part) => [part, ...nestedParts(part)]);

/** Values that a schema names, what it forbids among them, or that its bounds lead to. Not all of them fit it. */
const namedValues = (schema: JsonObject): unknown[] => [
  ...findParts(schema).flatMap(namedValues),
  ...listOf(schema.enum),
  ...(Object.hasOwn(schema, 'const') ? [schema.const] : []),
  ...listOf(schema.examples),
  ...(Object.hasOwn(schema, 'default') ? [schema.default] : []),
  ...numbersFor(schema),
  ...textsFor(schema.pattern),
  ...(typeof schema.format === 'string' ? (FORMAT_SAMPLES[schema.format] ?? []) : []),
  ...textsOfLength(schema),
];

const builtLists = (schemas: readonly JsonObject[], depth: number): unknown[][] => {
  const count = Math.max(0, ...schemas.map(({ minItems }) => (typeof minItems === 'number' ? minItems : 0)));
  if (count > 5) return [];
  const items = { allOf: schemas.map(({ items: each = true }) => each) };
  const prefix = Array.from({ length: count }, (_, index) => ({
    allOf: schemas.map((schema) => listOf(schema.prefixItems)[index] ?? schema.items ?? true),
  }));
  const list = prefix.map((each) => sampleValues(each, depth + 1)[0]);
  const more = sampleValues(items, depth + 1)
    .slice(0, 3)
    .map((one) => [...list, one]);
  return [list, ...more];
};

/** Members that have to be there, those of them that are given as they are. */
const builtObject = (schemas: readonly JsonObject[], given: JsonObject, without: string | undefined, depth: number): JsonObject => {
  const required = new Set(schemas.flatMap((schema) => listOf(schema.required).map(String)));
  const members: Record<string, unknown> = {};
  for (const key of required) {
    if (Object.hasOwn(given, key) || key === without) continue;
    const parts = schemas.flatMap((schema) => buildMemberSchemas(schema, key) ?? []);
    members[key] = sampleValues({ allOf: parts }, depth + 1)[0];
  }
  return { ...members, ...given };
};

const builtObjects = (schemas: readonly JsonObject[], depth: number): JsonObject[] =>
  schemas.some(({ required, minProperties }) => required !== undefined || minProperties !== undefined)
    ? [builtObject(schemas, {}, undefined, depth)]
    : [];

/** Values that fit a schema without references, some of each type that fits. */
export const sampleValues = (schema: unknown, depth = 0): readonly unknown[] => {
  const alternatives = listAlternatives(schema);
  if (alternatives === null || depth > DEPTH_MAX) return [];
  // A value can fit because of a forbidden part: `not: { oneOf }` admits values that fit two of its parts.
  const combinations = alternatives.flatMap((schemas) => [schemas, ...schemas.flatMap(nestedParts).map((part) => [part])]);
  const tried = [
    ...alternatives.flat().flatMap(namedValues),
    ...combinations.flatMap((schemas) => [...builtObjects(schemas, depth), ...builtLists(schemas, depth)]),
  ];
  const distinct = new Map([...BASE, ...tried].map((value) => [JSON.stringify(value), value]));
  return [...distinct.values()].filter((value) => evaluateSchema(schema, value) === true).slice(0, VALUES_MAX);
};

/** Values of the first member of a path for which the rest of it leads to a value, or to nothing where that is undefined. */
const membersWith = (schema: unknown, rest: readonly PathSegment[], value: unknown, depth: number): readonly unknown[] => {
  if (rest.length === 0) return [value];
  const inner = buildObject(schema, rest, value, depth + 1);
  if (value !== undefined) return inner === undefined ? [] : [inner];
  const leaves = sampleValues(schema, depth + 1).filter((one) => typeof one !== 'object' || one === null);
  return [inner, undefined, ...leaves];
};

/** An object that fits a schema with a value at a path, or with nothing there; undefined where none was found. */
export const buildObject = (
  schema: unknown,
  [first, ...rest]: readonly PathSegment[],
  value: unknown,
  depth = 0,
): JsonObject | undefined => {
  const alternatives = listAlternatives(schema);
  if (alternatives === null || first === undefined || first.each || depth > DEPTH_MAX) return undefined;
  for (const schemas of alternatives) {
    const parts = { allOf: schemas.flatMap((each) => buildMemberSchemas(each, first.key) ?? []) };
    for (const member of membersWith(parts, rest, value, depth)) {
      const isLeftOut = member === undefined;
      const built = builtObject(schemas, isLeftOut ? {} : { [first.key]: member }, isLeftOut ? first.key : undefined, depth);
      if (evaluateSchema(schema, built) === true) return built;
    }
  }
  return undefined;
};

/** True for a schema whose members depend on each other, so that what fits one member need not fit the whole. */
export const isEntangled = (schema: unknown): boolean => {
  const text = JSON.stringify(schema);
  return ENTANGLING.some((keyword) => text.includes(`"${keyword}":`)) || (isJsonObject(schema) && schema.const !== undefined);
};

const ENTANGLING = [
  'anyOf',
  'oneOf',
  'allOf',
  'not',
  'if',
  'dependentSchemas',
  'dependentRequired',
  'unevaluatedProperties',
  'minProperties',
  'maxProperties',
  'propertyNames',
];
