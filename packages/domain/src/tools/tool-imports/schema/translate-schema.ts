import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import { compileLinearPattern, linearPatternWork } from '../../schema/linear-pattern.ts';
import { isFormat } from '../../schema/parameter-formats.ts';
import { hideSecretLooks } from '../../secret-looks.ts';
import { describeUnstorable, isMembers, readList, readMemberValue, toLine } from '../draft/reading.ts';
import { plainKeywords } from './plain-keywords.ts';
import type { Resolve } from './resolve-reference.ts';

/** The limits on the imported part of a schema. */
export type Extent = { readonly depthMax: number; readonly descriptionMax: number };

export type Translating = {
  readonly resolve: Resolve;
  readonly extent: Extent;
  /** Pointer of what was referred to -> the name of its definition here. */
  readonly names: Map<string, string>;
  readonly definitions: Map<string, unknown>;
  readonly notes: Set<string>;
  /** The number of omitted constraints: the rest accepts more than the document. */
  loosened: number;
  /** True if "exactly one of" and "not" are kept even if something they reference was loosened. */
  readonly isStrict: boolean;
  nodes: number;
  patterns: number;
  patternWork: number;
  /** Why it cannot be translated at all. */
  refused?: string;
};

/** A little below what a tool's schema may have, since what is around the parameters counts too. */
export const NODES_MAX = 240;
/** For one object, also for objects that are only read. */
const PROPERTIES_MAX = 10 * NODES_MAX;
const REFERENCES_MAX = 60;
const PATTERNS_MAX = 32;
const PATTERN_WORK_MAX = 7_500;
/** Marks a schema that is complete: members it does not name are not sent. */
export const WHOLE = Symbol('whole');

const TYPES: ReadonlySet<unknown> = new Set(['object', 'array', 'string', 'integer', 'number', 'boolean', 'null']);

const listTypes = (schema: JsonObject): readonly string[] =>
  [schema.type]
    .flat()
    .map((type) => (type === 'file' ? 'string' : type))
    .filter((type): type is string => TYPES.has(type));

const typeMember = (types: readonly string[]): JsonObject =>
  types.length === 0 ? {} : { type: types.length === 1 ? types[0] : [...new Set(types)] };

/** Returns the rest of a schema whose parts are too deep. */
const cut = (schema: unknown, on: Translating): JsonObject => {
  on.loosened += 1;
  on.notes.add('The schema does not describe its deepest parts; any value is accepted there.');
  return isMembers(schema) ? typeMember(listTypes(schema)) : {};
};

const isPattern = (source: unknown, on: Translating): source is string => {
  if (typeof source !== 'string') return false;
  const fits = fitsPattern(source, on);
  if (!fits) on.loosened += 1;
  return fits;
};

const fitsPattern = (source: string, on: Translating): boolean => {
  if (source.length > 1_000) return false;
  if (describeUnstorable(source) !== undefined) {
    on.notes.add('Some patterns are not checked: they contain characters that cannot be stored.');
    return false;
  }
  const work = linearPatternWork(source);
  const fits = on.patterns < PATTERNS_MAX && on.patternWork + work <= PATTERN_WORK_MAX && !('fault' in compileLinearPattern(source));
  if (fits) {
    on.patterns += 1;
    on.patternWork += work;
  } else on.notes.add('Some patterns are not checked: they cannot be matched in linear time, or there are too many.');
  return fits;
};

const VALUES_MAX = 1_000;

/** Only plain values are taken over as they are: anything else may be large out of all proportion to its document. */
const isPlain = (value: unknown): boolean => {
  if (typeof value === 'string') return describeUnstorable(value) === undefined;
  return value === null || typeof value === 'boolean' || Number.isFinite(value);
};

const looksSecret = (value: unknown): boolean => typeof value === 'string' && hideSecretLooks(value, 'body', '') !== value;

const isReadOnly = (schema: unknown, on: Translating): boolean => {
  if (readMemberValue(schema, 'readOnly') === true) return true;
  const reference = readMemberValue(schema, '$ref');
  if (typeof reference !== 'string') return false;
  const found = on.resolve(reference);
  return 'value' in found && readMemberValue(found.value, 'readOnly') === true;
};

const getProperties = (schema: JsonObject, depth: number, on: Translating): JsonObject => {
  const { properties } = schema;
  const required = readList(schema.required).filter((name): name is string => typeof name === 'string');
  if (!isMembers(properties)) return required.length === 0 ? {} : { required: [...new Set(required)] };
  const count = Object.keys(properties).length;
  // No extent fits them, so that none of them is read.
  if (count > PROPERTIES_MAX) {
    on.nodes += count;
    return {};
  }
  const sent = Object.entries(properties).filter(([, property]) => !isReadOnly(property, on));
  if (sent.length < count) on.loosened += 1;
  const dropped = new Set(Object.keys(properties));
  for (const [name] of sent) dropped.delete(name);
  const asked = [...new Set(required)].filter((name) => !dropped.has(name));
  return {
    properties: Object.fromEntries(sent.map(([name, property]) => [name, translate(property, depth + 1, on)])),
    ...(asked.length === 0 ? {} : { required: asked }),
  };
};

const ONE = ['additionalProperties', 'propertyNames', 'contains'] as const;
const MANY = ['allOf', 'anyOf', 'prefixItems'] as const;

const leaveCondition = (on: Translating): void => {
  on.loosened += 1;
  on.notes.add('Some conditions between its parameters are not checked.');
};

/** A reference may lead to something that was loosened. */
const refers = (parts: unknown): boolean => JSON.stringify(parts).includes('"$ref"');

/**
 * A loosened schema would match where it must not: both of two exclusive alternatives could match, and an exclusion could
 * reject everything. Such alternatives become `anyOf`, and such an exclusion is dropped.
 */
const getExclusions = (schema: JsonObject, depth: number, on: Translating): { alternatives?: JsonObject; not?: JsonObject | boolean } => {
  const before = on.loosened;
  const choices = readList(schema.oneOf).map((part) => translate(part, depth, on));
  const isLoose = (parts: unknown): boolean => on.loosened !== before || (!on.isStrict && refers(parts));
  const anyFits = isLoose(choices);
  const not = isMembers(schema.not) ? translate(schema.not, depth + 1, on) : undefined;
  const goes = not !== undefined && isLoose(not);
  if ((anyFits && choices.length > 1) || goes) leaveCondition(on);
  return {
    ...(choices.length === 0 ? {} : { alternatives: anyFits ? { anyOf: choices } : { oneOf: choices } }),
    ...(not === undefined || goes ? {} : { not }),
  };
};

const getParts = (schema: JsonObject, depth: number, on: Translating): JsonObject => {
  const parts: Record<string, unknown> = {};
  for (const keyword of ONE) {
    const part = schema[keyword];
    if (isMembers(part) || typeof part === 'boolean') parts[keyword] = translate(part, depth + 1, on);
  }
  for (const keyword of MANY) {
    const list = readList(schema[keyword]);
    // The same value is judged again, without another level.
    const below = keyword === 'prefixItems' ? depth + 1 : depth;
    if (list.length > 0) parts[keyword] = list.map((part) => translate(part, below, on));
  }
  const { alternatives, not } = getExclusions(schema, depth, on);
  // Next to other alternatives, each has to fit.
  if (alternatives !== undefined && 'anyOf' in alternatives && 'anyOf' in parts) parts.allOf = [...readList(parts.allOf), alternatives];
  else Object.assign(parts, alternatives);
  if (not !== undefined) parts.not = not;
  if (Array.isArray(schema.items) && schema.items.length > 0)
    parts.prefixItems = schema.items.map((item) => translate(item, depth + 1, on));
  else if (isMembers(schema.items) || typeof schema.items === 'boolean') parts.items = translate(schema.items, depth + 1, on);
  const patterned = Object.entries(isMembers(schema.patternProperties) ? schema.patternProperties : {}).filter(([source]) =>
    isPattern(source, on),
  );
  if (patterned.length > 0)
    parts.patternProperties = Object.fromEntries(patterned.map(([source, part]) => [source, translate(part, depth + 1, on)]));
  if (['if', 'dependentSchemas', 'unevaluatedProperties', '$dynamicRef'].some((keyword) => Object.hasOwn(schema, keyword)))
    leaveCondition(on);
  return parts;
};

const getValues = (schema: JsonObject, types: readonly string[], on: Translating): JsonObject => {
  const { enum: values, pattern, format, description } = schema;
  const constant = Object.hasOwn(schema, 'const') ? schema.const : undefined;
  const lists =
    Array.isArray(values) && values.length > 0 && values.length <= VALUES_MAX && values.every(isPlain) && !values.some(looksSecret);
  const isFixed = constant !== undefined && isPlain(constant) && !looksSecret(constant);
  if (Array.isArray(values) && !lists) on.notes.add('Some lists of values are not checked.');
  if ((Array.isArray(values) && !lists) || (constant !== undefined && !isFixed)) on.loosened += 1;
  const told = toLine(description, on.extent.descriptionMax);
  return {
    ...typeMember(types),
    ...(lists ? { enum: values } : {}),
    ...(isFixed ? { const: constant } : {}),
    ...(isPattern(pattern ?? null, on) ? { pattern } : {}),
    ...(isFormat(format) ? { format } : {}),
    ...(told === '' || on.extent.descriptionMax === 0 ? {} : { description: told }),
  };
};

/** OpenAPI 3.0 has a keyword next to the type for null as another value. */
const orNull = (schema: Record<string, unknown>, isNullable: boolean): JsonObject => {
  if (!isNullable) return schema;
  const { type, enum: values } = schema;
  const withNull = Array.isArray(values) && !values.includes(null) ? { enum: [...values, null] } : {};
  if (typeof type === 'string' || Array.isArray(type))
    return { ...schema, ...typeMember([...[type].flat(), 'null'] as string[]), ...withNull };
  return Object.keys(schema).length === 0 ? schema : { anyOf: [schema, { type: 'null' }] };
};

const definitionName = (pointer: string, on: Translating): string => {
  const last =
    pointer
      .slice(pointer.lastIndexOf('/') + 1)
      .replace(/[^A-Za-z0-9_]+/g, '_')
      .slice(0, 60) || 'part';
  const taken = new Set(on.names.values());
  let name = last;
  for (let number = 2; taken.has(name); number += 1) name = `${last}_${number}`;
  return name;
};

const referred = (reference: string, depth: number, on: Translating): JsonObject | boolean => {
  const found = on.resolve(reference);
  if ('fault' in found) {
    on.refused ??= found.fault;
    return {};
  }
  const known = on.names.get(found.pointer);
  if (known !== undefined) return { $ref: `#/$defs/${known}` };
  if (depth > on.extent.depthMax || on.names.size >= REFERENCES_MAX) return cut(found.value, on);
  // A schema of a plain value is inlined.
  if (
    isMembers(found.value) &&
    !['properties', 'allOf', 'anyOf', 'oneOf', 'items', '$ref'].some((keyword) => keyword in (found.value as JsonObject))
  )
    return translate(found.value, depth, on);
  const name = definitionName(found.pointer, on);
  on.names.set(found.pointer, name);
  on.definitions.set(name, translate(found.value, depth, on));
  return { $ref: `#/$defs/${name}` };
};

/** Translates one schema of a document to the dialect of tools, within the extent. Unknown parts are omitted. */
export const translate = (schema: unknown, depth: number, on: Translating): JsonObject | boolean => {
  on.nodes += 1;
  if (typeof schema === 'boolean') return schema;
  if (on.nodes > NODES_MAX || !isMembers(schema)) return {};
  if (depth > on.extent.depthMax && !Object.hasOwn(schema, WHOLE)) return cut(schema, on);
  const reference = schema.$ref;
  if (typeof reference === 'string') {
    const told = toLine(schema.description, on.extent.descriptionMax);
    const target = referred(reference, depth, on);
    if (typeof target === 'boolean') return target;
    const described = told === '' || on.extent.descriptionMax === 0 ? target : { ...target, description: told };
    return orNull(described, schema.nullable === true);
  }
  const types = listTypes(schema);
  const translated = {
    ...getValues(schema, types, on),
    ...plainKeywords(schema),
    ...getProperties(schema, depth, on),
    ...getParts(schema, depth, on),
  };
  return orNull(translated, schema.nullable === true);
};
