import { isJsonObject, type JsonObject } from '../../values/check-members.ts';
import type { Segment } from '../../values/path.ts';
import { jsonTypeOf } from './admits.ts';

export type JsonType = 'string' | 'number' | 'boolean' | 'object' | 'array';

/**
 * What a tool says of a value in its parameters. `always`: every request has it. `maybe`: a request can leave it out. `never`: no request has it.
 * `unsaid`: the schema says it in a way that is not read here. `schema` is what it says of the value itself.
 */
export type Presence = {
  readonly there: 'always' | 'maybe' | 'never' | 'unsaid';
  readonly schema: unknown;
};

const ALL: readonly JsonType[] = ['string', 'number', 'boolean', 'object', 'array'];
const UNSAID: Presence = { there: 'unsaid', schema: false };
const NEVER: Presence = { there: 'never', schema: false };
/** Keywords that can demand or forbid a member, or narrow a value, in ways that are not followed. */
const UNREAD = ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'dependentSchemas', 'dependentRequired', 'unevaluatedProperties'];
const COUNTING = ['minProperties', 'maxProperties', 'propertyNames', 'enum', 'const'];

const holdsAny = (schema: JsonObject, keywords: readonly string[]): boolean => keywords.some((keyword) => Object.hasOwn(schema, keyword));

/** Types a schema admits, `null` among them; null when it cannot be read. */
export const typesOf = (schema: unknown): ReadonlySet<JsonType | 'null'> | null => {
  if (schema === true || schema === undefined) return new Set([...ALL, 'null' as const]);
  if (!isJsonObject(schema) || holdsAny(schema, UNREAD)) return null;
  if (Array.isArray(schema.enum)) return new Set(schema.enum.map(jsonTypeOf));
  if (Object.hasOwn(schema, 'const')) return new Set([jsonTypeOf(schema.const)]);
  if (schema.type === undefined) return new Set([...ALL, 'null' as const]);
  return new Set([schema.type].flat().map((type) => (type === 'integer' ? 'number' : type) as JsonType | 'null'));
};

const memberSchema = (schema: JsonObject, key: string): unknown => {
  const { properties, additionalProperties, patternProperties } = schema;
  if (isJsonObject(properties) && Object.hasOwn(properties, key)) return properties[key];
  return patternProperties === undefined ? additionalProperties : true;
};

const atMember = (schema: JsonObject, [segment, ...rest]: readonly Segment[]): Presence => {
  if (segment === undefined || segment.each || holdsAny(schema, [...UNREAD, ...COUNTING])) return UNSAID;
  const member = memberSchema(schema, segment.key);
  if (member === false) return NEVER;
  const types = typesOf(member);
  if (types === null) return UNSAID;
  const isRequired = Array.isArray(schema.required) && schema.required.includes(segment.key);
  const [next] = rest;
  if (next === undefined || next.each) {
    const there = isRequired && !types.has('null') ? 'always' : 'maybe';
    return { there: next?.each && there === 'always' ? 'unsaid' : there, schema: member };
  }
  if (next.index >= 0 && types.has('array')) return UNSAID;
  if (!types.has('object')) return NEVER;
  const inner = atMember(isJsonObject(member) ? member : {}, rest);
  if (inner.there === 'never' || inner.there === 'unsaid') return inner;
  return isRequired && types.size === 1 ? inner : { ...inner, there: 'maybe' };
};

/** What a tool's schema says of the value at a path into its parameters. */
export const presenceOf = (schema: unknown, segments: readonly Segment[]): Presence =>
  isJsonObject(schema) ? atMember(schema, segments) : UNSAID;

/** What a schema says of each element of a list; undefined where it says it in a way that is not read here, or where no list may stand. */
export const elementSchema = (list: unknown): unknown => {
  const types = typesOf(list);
  if (types === null || types.has('object') || !isJsonObject(list) || list.prefixItems !== undefined) return undefined;
  return types.has('array') ? list.items : undefined;
};
