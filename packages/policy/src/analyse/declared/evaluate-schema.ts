import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import { isJsonObject } from '../../values/check-members.ts';
import { compileLinear } from '../../values/linear-pattern.ts';
import { FORMAT_SAMPLES } from './format-samples.ts';

/** True or false, or undefined if the schema uses a form that is not read here. */
export type SchemaVerdict = boolean | undefined;

const PATTERN_BOUNDS = { length_max: 1_000, size_max: 2_000, work_max: 100_000 };
const DEPTH_MAX = 40;

const both = (verdicts: Iterable<SchemaVerdict>): SchemaVerdict => {
  let result: SchemaVerdict = true;
  for (const verdict of verdicts) {
    if (verdict === false) return false;
    if (verdict === undefined) result = undefined;
  }
  return result;
};
const negate = (verdict: SchemaVerdict): SchemaVerdict => (verdict === undefined ? undefined : !verdict);
const either = (verdicts: readonly SchemaVerdict[]): SchemaVerdict => negate(both(verdicts.map(negate)));

const hasType = (value: unknown, type: unknown): boolean => {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  return type === 'object' ? isJsonObject(value) : typeof value === type;
};

const isEqual = (left: unknown, right: unknown): boolean => {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every(
      (key) => Object.hasOwn(right, key) && isEqual((left as Record<string, unknown>)[key], (right as Record<string, unknown>)[key]),
    )
  );
};

/** Searches a pattern; undefined for one that the engine does not support. */
export const isFound = (pattern: string, text: string): SchemaVerdict => {
  const compiled = compileLinear(pattern, 'ecma', PATTERN_BOUNDS);
  return 'fault' in compiled ? undefined : compiled.found(text);
};

const ofLists = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const findSchemas = (value: unknown): readonly (readonly [string, unknown])[] => (isJsonObject(value) ? Object.entries(value) : []);

const isMultiple = (value: number, step: number): SchemaVerdict =>
  Number.isInteger(step) && Number.isSafeInteger(value) ? value % step === 0 : undefined;

const NUMBERS: Readonly<Record<string, (value: number, bound: number) => SchemaVerdict>> = {
  minimum: (value, bound) => value >= bound,
  maximum: (value, bound) => value <= bound,
  exclusiveMinimum: (value, bound) => value > bound,
  exclusiveMaximum: (value, bound) => value < bound,
  multipleOf: isMultiple,
};

const isOfFormat = (text: string, format: unknown): SchemaVerdict => {
  const samples = FORMAT_SAMPLES[String(format)];
  return samples === undefined ? undefined : samples.includes(text) ? true : undefined;
};

const TEXTS: Readonly<Record<string, (value: string, bound: unknown) => SchemaVerdict>> = {
  minLength: (value, bound) => [...value].length >= Number(bound),
  maxLength: (value, bound) => [...value].length <= Number(bound),
  pattern: (value, bound) => isFound(String(bound), value),
  format: isOfFormat,
};

const listItems = (list: readonly unknown[], { prefixItems }: JsonObject): readonly unknown[] => list.slice(ofLists(prefixItems).length);

const LISTS: Readonly<Record<string, (value: readonly unknown[], bound: unknown, schema: JsonObject, depth: number) => SchemaVerdict>> = {
  minItems: (list, bound) => list.length >= Number(bound),
  maxItems: (list, bound) => list.length <= Number(bound),
  uniqueItems: (list, bound) => bound !== true || list.every((one, index) => !list.slice(0, index).some((other) => isEqual(one, other))),
  prefixItems: (list, bound, _schema, depth) =>
    both(ofLists(bound).map((each, index) => (index < list.length ? judge(each, list[index], depth) : true))),
  items: (list, bound, schema, depth) => both(listItems(list, schema).map((one) => judge(bound, one, depth))),
  contains: (list, bound, { minContains, maxContains }, depth) =>
    minContains === undefined && maxContains === undefined ? either(list.map((one) => judge(bound, one, depth))) : undefined,
  unevaluatedItems: (_list, bound) => (bound === true ? true : undefined),
};

/** Returns the schemas of one member by its name; those of additional members if it has none. */
export const buildMemberSchemas = (
  { properties, patternProperties, additionalProperties }: JsonObject,
  key: string,
): readonly unknown[] | undefined => {
  const own = isJsonObject(properties) && Object.hasOwn(properties, key) ? [properties[key]] : [];
  for (const [pattern, schema] of findSchemas(patternProperties)) {
    const found = isFound(pattern, key);
    if (found === undefined) return undefined;
    if (found) own.push(schema);
  }
  return own.length > 0 || additionalProperties === undefined ? own : [additionalProperties];
};

const judgeMembers = (value: JsonObject, schema: JsonObject, depth: number): SchemaVerdict =>
  both(
    Object.entries(value).map(([key, member]) => {
      const schemas = buildMemberSchemas(schema, key);
      return schemas === undefined ? undefined : both(schemas.map((each) => judge(each, member, depth)));
    }),
  );

/** Returns true if a member is evaluated by the schema or by a part of it that holds. */
const isEvaluated = (schema: unknown, value: JsonObject, key: string, depth: number): SchemaVerdict => {
  if (!isJsonObject(schema) || depth > DEPTH_MAX) return isJsonObject(schema) ? undefined : false;
  const own = buildMemberSchemas(schema, key);
  if (own === undefined || Object.hasOwn(schema, '$ref')) return undefined;
  if (own.length > 0) return true;
  const parts = [...ofLists(schema.allOf), ...ofLists(schema.anyOf), ...ofLists(schema.oneOf)];
  const isIf = schema.if === undefined ? undefined : judge(schema.if, value, depth + 1);
  if (schema.if !== undefined && isIf === undefined) return undefined;
  const more = schema.if === undefined ? [] : isIf ? [schema.if, schema.then] : [schema.else];
  const dependent = findSchemas(schema.dependentSchemas).flatMap(([name, each]) => (Object.hasOwn(value, name) ? [each] : []));
  return either(
    [...parts, ...more, ...dependent].map((part) =>
      both([judge(part ?? true, value, depth + 1), isEvaluated(part, value, key, depth + 1)]),
    ),
  );
};

type Members = (value: JsonObject, bound: unknown, schema: JsonObject, depth: number) => SchemaVerdict;
const OBJECTS: Readonly<Record<string, Members>> = {
  required: (value, bound) => ofLists(bound).every((key) => Object.hasOwn(value, String(key))),
  minProperties: (value, bound) => Object.keys(value).length >= Number(bound),
  maxProperties: (value, bound) => Object.keys(value).length <= Number(bound),
  propertyNames: (value, bound, _schema, depth) => both(Object.keys(value).map((key) => judge(bound, key, depth))),
  properties: (value, _bound, schema, depth) => judgeMembers(value, schema, depth),
  patternProperties: (value, _bound, schema, depth) => judgeMembers(value, schema, depth),
  additionalProperties: (value, _bound, schema, depth) => judgeMembers(value, schema, depth),
  dependentRequired: (value, bound) =>
    findSchemas(bound).every(
      ([key, names]) => !Object.hasOwn(value, key) || ofLists(names).every((name) => Object.hasOwn(value, String(name))),
    ),
  dependentSchemas: (value, bound, _schema, depth) =>
    both(findSchemas(bound).map(([key, each]) => (Object.hasOwn(value, key) ? judge(each, value, depth) : true))),
  unevaluatedProperties: (value, bound, schema, depth) =>
    both(
      Object.entries(value).map(([key, member]) => {
        const seen = isEvaluated(schema, value, key, depth);
        return seen === undefined ? undefined : seen || judge(bound, member, depth);
      }),
    ),
};

const judgeOne = (parts: unknown, value: unknown, depth: number): SchemaVerdict => {
  const verdicts = ofLists(parts).map((part) => judge(part, value, depth));
  const holding = verdicts.filter((verdict) => verdict === true).length;
  if (holding > 1) return false;
  return verdicts.includes(undefined) ? undefined : holding === 1;
};

const judgeIf = (
  { if: condition, then: held = true, else: otherwise = true }: JsonObject,
  value: unknown,
  depth: number,
): SchemaVerdict => {
  const holds = judge(condition, value, depth);
  if (holds !== undefined) return judge(holds ? held : otherwise, value, depth);
  const [one, other] = [judge(held, value, depth), judge(otherwise, value, depth)];
  return one === other ? one : undefined;
};

const ANY: Readonly<Record<string, (value: unknown, bound: unknown, schema: JsonObject, depth: number) => SchemaVerdict>> = {
  type: (value, types) => [types].flat().some((type) => hasType(value, type)),
  enum: (value, words) => ofLists(words).some((word) => isEqual(word, value)),
  const: (value, word) => isEqual(value, word),
  allOf: (value, parts, _schema, depth) => both(ofLists(parts).map((part) => judge(part, value, depth))),
  anyOf: (value, parts, _schema, depth) => either(ofLists(parts).map((part) => judge(part, value, depth))),
  oneOf: (value, parts, _schema, depth) => judgeOne(parts, value, depth),
  not: (value, part, _schema, depth) => negate(judge(part, value, depth)),
  if: (value, _part, schema, depth) => judgeIf(schema, value, depth),
};

const NOTES = [
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  '$comment',
  '$schema',
  '$defs',
  'definitions',
  '$id',
];
const UNREAD_HERE: ReadonlySet<string> = new Set([...NOTES, 'then', 'else', 'minContains', 'maxContains']);

const judgeKeyword = (keyword: string, bound: unknown, value: unknown, schema: JsonObject, depth: number): SchemaVerdict => {
  if (UNREAD_HERE.has(keyword)) return true;
  const any = ANY[keyword];
  if (any !== undefined) return any(value, bound, schema, depth);
  if (NUMBERS[keyword] !== undefined) return typeof value === 'number' ? NUMBERS[keyword](value, Number(bound)) : true;
  if (TEXTS[keyword] !== undefined)
    return typeof value === 'string' ? TEXTS[keyword](value, bound) : keyword !== 'format' || typeof value !== 'number' ? true : undefined;
  if (LISTS[keyword] !== undefined) return Array.isArray(value) ? LISTS[keyword](value, bound, schema, depth) : true;
  if (OBJECTS[keyword] !== undefined) return isJsonObject(value) ? OBJECTS[keyword](value, bound, schema, depth) : true;
  return undefined;
};

const judge = (schema: unknown, value: unknown, depth: number): SchemaVerdict => {
  if (typeof schema === 'boolean') return schema;
  if (!isJsonObject(schema) || depth > DEPTH_MAX) return undefined;
  return both(Object.entries(schema).map(([keyword, bound]) => judgeKeyword(keyword, bound, value, schema, depth + 1)));
};

/** Validates a value against a schema without references. */
export const evaluateSchema = (schema: unknown, value: unknown): SchemaVerdict => judge(schema === undefined ? true : schema, value, 0);
