import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Fault } from '../fault.ts';
import { formatPointer, parsePointer } from '../json-pointer.ts';
import { DIALECTS, getDialectIndex, isAnnotation } from './dialects.ts';
import { compileLinearPattern, linearPatternWork } from './linear-pattern.ts';
import { FORMAT_FAULT, isFormat } from './parameter-formats.ts';
import { isSchemaKeyword, isSchemaObject, PATTERNS_MAX, SCHEMA_KEYWORDS, subschemasUnder } from './parameters-schema-keywords.ts';

type Members = Readonly<Record<string, unknown>>;
type Path = readonly string[];

/** A schema of any supported dialect, in the keywords of 2020-12 that are checked. */
export type NormalisedSchema = {
  readonly schema: Members;
  /** Constraints that the schema states but the normalised one does not check. Pointers are into the given schema. */
  readonly findings: readonly Fault[];
  /** Translates a pointer into the normalised schema to one into the given schema. */
  readonly toGiven: (pointer: string) => string;
};

/** A keyword of a normalised schema that is settled after all subschemas were visited. */
type Pending = { readonly schema: Record<string, unknown>; readonly keyword: string };
type Reference = Pending & { readonly text: string };
type UnsupportedPattern = Pending & { readonly isInverted: boolean; readonly finding: Fault };

type Normalising = {
  readonly dialect: number;
  /** Pointers of subschemas, given to normalised and normalised to given. */
  readonly moved: Map<string, string>;
  readonly origins: Map<string, string>;
  readonly anchors: Map<string, string>;
  readonly references: Reference[];
  readonly unsupported: UnsupportedPattern[];
  readonly findings: Fault[];
  patterns: number;
  patternWork: number;
  hasInvertedReference: boolean;
};

/** A schema object being normalised. `isInverted`: a looser constraint here makes the whole schema stricter, as below `not`. */
type Place = {
  readonly schema: Members;
  readonly given: Path;
  readonly path: Path;
  readonly isInverted: boolean;
  readonly on: Normalising;
};

const DRAFT_04 = 0;
const DRAFT_07 = DIALECTS.indexOf('http://json-schema.org/draft-07/schema');

const inverts = (keyword: string, schema: Members): boolean =>
  keyword === 'not' || keyword === 'oneOf' || keyword === 'if' || (keyword === 'contains' && schema.maxContains !== undefined);

const visitBelow = ({ schema, given, path, isInverted, on }: Place, from: Path, to: Path, subschema: unknown): unknown =>
  visit(subschema, { given: [...given, ...from], path: [...path, ...to], isInverted: isInverted || inverts(from[0] ?? '', schema), on });

/** Merges `definitions` into `$defs`; a name that both have gets a number. */
const mergeDefinitions = (place: Place): Members => {
  const merged: Record<string, unknown> = {};
  for (const keyword of ['$defs', 'definitions']) {
    for (const [[, name = ''], subschema] of subschemasUnder('$defs', place.schema[keyword])) {
      let free = name;
      for (let number = 2; Object.hasOwn(merged, free); number += 1) free = `${name}_${number}`;
      merged[free] = visitBelow(place, [keyword, name], ['$defs', free], subschema);
    }
  }
  return { $defs: merged };
};

/** Splits `dependencies`; leaves it, to be refused, if the newer keywords have the same names. */
const splitDependencies = (place: Place, value: unknown): Members => {
  const { dependentRequired = {}, dependentSchemas = {} } = place.schema;
  const newer = { ...(dependentRequired as object), ...(dependentSchemas as object) };
  if (!isSchemaObject(value) || Object.keys(value).some((name) => Object.hasOwn(newer, name))) return { dependencies: value };
  const required: Record<string, unknown> = {};
  const schemas: Record<string, unknown> = {};
  for (const [name, each] of Object.entries(value)) {
    if (!Array.isArray(each)) schemas[name] = visitBelow(place, ['dependencies', name], ['dependentSchemas', name], each);
    else {
      required[name] = each;
      const origin = formatPointer([...place.given, 'dependencies', name]);
      place.on.origins.set(formatPointer([...place.path, 'dependentRequired', name]), origin);
    }
  }
  const own = subschemasUnder('dependentSchemas', dependentSchemas).map(
    ([tokens, each]) => [tokens[1] ?? '', visitBelow(place, tokens, tokens, each)] as const,
  );
  return {
    dependentRequired: { ...(dependentRequired as object), ...required },
    dependentSchemas: { ...Object.fromEntries(own), ...schemas },
  };
};

/** Renames a list of `items` to `prefixItems` of 2020-12, and `additionalItems` next to it to `items`. */
const splitItems = (place: Place, items: readonly unknown[]): Members => {
  const { additionalItems } = place.schema;
  const prefix = items.map((item, index) => visitBelow(place, ['items', String(index)], ['prefixItems', String(index)], item));
  return {
    ...(prefix.length === 0 ? {} : { prefixItems: prefix }),
    ...(additionalItems === undefined ? {} : { items: visitBelow(place, ['additionalItems'], ['items'], additionalItems) }),
  };
};

/** Draft-04 has a flag next to the bound; later dialects have a separate bound. */
const exclusiveBound = ({ schema }: Place, keyword: string, inclusive: string): Members => {
  if (schema[keyword] === false) return {};
  return typeof schema[inclusive] === 'number' ? { [keyword]: schema[inclusive] } : { [keyword]: schema[keyword] };
};

const orNull = (value: unknown): unknown => {
  const list = [value].flat();
  return list.includes('null') ? value : [...list, 'null'];
};

const anchor = ({ path, on }: Place, name: string): boolean => {
  if (on.anchors.has(name)) return false;
  on.anchors.set(name, formatPointer(path));
  return true;
};

/** Next to a reference of draft-07 and older, only the reference constrains. */
const constrains = (keyword: string): boolean =>
  !['$ref', '$defs', 'definitions', 'id'].includes(keyword) && !(isSchemaKeyword(keyword) && SCHEMA_KEYWORDS[keyword] === 'note');

type Translate = (place: Place, value: unknown, schema: Record<string, unknown>) => Members;

const identifier: Translate = (place, value) => {
  if (typeof value === 'string' && value.startsWith('#')) return anchor(place, value.slice(1)) ? {} : { $id: value };
  return { $id: value };
};

const namedAnchor =
  (keyword: string): Translate =>
  (place, value) =>
    typeof value === 'string' && anchor(place, value) ? {} : { [keyword]: value };

const reference =
  (keyword: string): Translate =>
  ({ on, isInverted }, text, schema) => {
    if (typeof text === 'string') on.references.push({ schema, keyword, text });
    on.hasInvertedReference ||= isInverted;
    return { [keyword]: text };
  };

const arePatternsWithin = ({ patterns, patternWork }: Normalising): boolean =>
  patterns <= PATTERNS_MAX && patternWork <= LIMITS.tools.patternWorksMax;

const pattern: Translate = ({ given, isInverted, on }, source, schema) => {
  if (typeof source !== 'string') return { pattern: source };
  on.patterns += 1;
  on.patternWork += linearPatternWork(source);
  const compiled = arePatternsWithin(on) ? compileLinearPattern(source) : undefined;
  if (compiled !== undefined && 'fault' in compiled) {
    const finding = { pointer: formatPointer([...given, 'pattern']), message: compiled.fault };
    on.unsupported.push({ schema, keyword: 'pattern', isInverted, finding });
  }
  return { pattern: source };
};

/** Validators ignore an unknown format, so that removing it changes nothing. */
const format: Translate = ({ given, on }, value) => {
  if (typeof value !== 'string' || isFormat(value)) return { format: value };
  on.findings.push({ pointer: formatPointer([...given, 'format']), message: FORMAT_FAULT });
  return {};
};

/** Keywords that 2020-12 does not have, or that are written differently in other dialects. */
const TRANSLATED: Readonly<Record<string, Translate>> = {
  $schema: (place, value) => (place.given.length === 0 && place.on.dialect >= 0 ? {} : { $schema: value }),
  $id: identifier,
  id: (place, value, schema) => (place.on.dialect === DRAFT_04 ? identifier(place, value, schema) : { id: value }),
  $anchor: namedAnchor('$anchor'),
  $dynamicAnchor: namedAnchor('$dynamicAnchor'),
  $ref: reference('$ref'),
  $dynamicRef: reference('$dynamicRef'),
  $recursiveRef: reference('$recursiveRef'),
  $defs: (place, value) => (isSchemaObject(value) ? mergeDefinitions(place) : { $defs: value }),
  definitions: (place, value) => {
    if (!isSchemaObject(value)) return { definitions: value };
    return isSchemaObject(place.schema.$defs) ? {} : mergeDefinitions(place);
  },
  dependencies: splitDependencies,
  dependentRequired: ({ schema }, value) => (isSchemaObject(schema.dependencies) ? {} : { dependentRequired: value }),
  dependentSchemas: (place, value) => (isSchemaObject(place.schema.dependencies) ? {} : subschemas(place, 'dependentSchemas', value)),
  items: (place, value) =>
    Array.isArray(value) && place.schema.prefixItems === undefined ? splitItems(place, value) : subschemas(place, 'items', value),
  additionalItems: () => ({}),
  nullable: (_, value) => (typeof value === 'boolean' ? {} : { nullable: value }),
  type: ({ schema }, value) => ({ type: schema.nullable === true ? orNull(value) : value }),
  enum: ({ schema }, value) => ({
    enum: schema.nullable === true && Array.isArray(value) && !value.includes(null) ? [...value, null] : value,
  }),
  minimum: ({ schema }, value) => (schema.exclusiveMinimum === true ? {} : { minimum: value }),
  maximum: ({ schema }, value) => (schema.exclusiveMaximum === true ? {} : { maximum: value }),
  exclusiveMinimum: (place, value) =>
    typeof value === 'boolean' ? exclusiveBound(place, 'exclusiveMinimum', 'minimum') : { exclusiveMinimum: value },
  exclusiveMaximum: (place, value) =>
    typeof value === 'boolean' ? exclusiveBound(place, 'exclusiveMaximum', 'maximum') : { exclusiveMaximum: value },
  pattern,
  format,
};

const subschemas = (place: Place, keyword: string, value: unknown): Members => {
  const visited = subschemasUnder(keyword, value).map(([tokens, each]) => [tokens[1], visitBelow(place, tokens, tokens, each)] as const);
  const kind = isSchemaKeyword(keyword) ? SCHEMA_KEYWORDS[keyword] : 'note';
  if (kind === 'schema') return { [keyword]: visited[0]?.[1] };
  if (kind === 'list' && Array.isArray(value)) return { [keyword]: visited.map(([, each]) => each) };
  return { [keyword]: kind === 'map' && isSchemaObject(value) ? Object.fromEntries(visited) : value };
};

const translateMembers = (place: Place): Record<string, unknown> => {
  const { schema, given, on } = place;
  const isReferenceAlone = on.dialect >= 0 && on.dialect <= DRAFT_07 && typeof schema.$ref === 'string';
  const translated: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (isAnnotation(keyword)) continue;
    if (isReferenceAlone && constrains(keyword)) {
      on.findings.push({ pointer: formatPointer([...given, keyword]), message: 'is ignored next to $ref in this dialect; use allOf' });
      continue;
    }
    const translate = Object.hasOwn(TRANSLATED, keyword) ? TRANSLATED[keyword] : undefined;
    Object.assign(translated, translate ? translate(place, value, translated) : subschemas(place, keyword, value));
  }
  return translated;
};

/** Keywords with a constraint of their own, for which a nullable type next to them does not allow null. */
const COMBINED = ['$ref', 'allOf', 'anyOf', 'oneOf', 'const'];

const record = (given: Path, path: Path, { moved, origins }: Normalising): void => {
  moved.set(formatPointer(given), formatPointer(path));
  origins.set(formatPointer(path), formatPointer(given));
};

const visit = (schema: unknown, { given, path, isInverted, on }: Omit<Place, 'schema'>): unknown => {
  record(given, path, on);
  if (!isSchemaObject(schema)) return schema;
  const isWrapped = schema.nullable === true && COMBINED.some((keyword) => Object.hasOwn(schema, keyword));
  if (!isWrapped) return translateMembers({ schema, given, path, isInverted, on });
  const inner = [...path, 'anyOf', '0'];
  on.origins.set(formatPointer(inner), formatPointer(given));
  return { anyOf: [translateMembers({ schema, given, path: inner, isInverted, on }), { type: 'null' }] };
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
};

/** The normalised pointer of a local reference; undefined if it is not local, or leads to no subschema. */
const target = ({ moved, anchors }: Normalising, text: string): string | undefined => {
  if (!text.startsWith('#')) return undefined;
  const fragment = decoded(text.slice(1));
  const tokens = parsePointer(fragment);
  return tokens === null ? anchors.get(fragment) : moved.get(formatPointer(tokens));
};

const settle = (on: Normalising): void => {
  for (const { schema, keyword, text } of on.references) {
    const pointer = target(on, text);
    if (pointer === undefined || (keyword !== '$ref' && schema.$ref !== undefined)) continue;
    delete schema[keyword];
    schema.$ref = `#${pointer}`;
  }
  for (const { schema, keyword, isInverted, finding } of on.unsupported) {
    if (isInverted || on.hasInvertedReference || !arePatternsWithin(on)) continue;
    delete schema[keyword];
    on.findings.push(finding);
  }
};

const toGiven = ({ origins }: Normalising, pointer: string): string => {
  const tokens = parsePointer(pointer) ?? [];
  for (let count = tokens.length; count >= 0; count -= 1) {
    const origin = origins.get(formatPointer(tokens.slice(0, count)));
    if (origin !== undefined) return origin + formatPointer(tokens.slice(count));
  }
  return pointer;
};

/**
 * Rewrites a schema of draft-04 to 2020-12, whose old keywords it accepts in every dialect, as one of 2020-12 without annotations of other
 * tools. The normalised schema is never stricter than the given one. Invalid or unsupported parts stay, to be rejected
 * by `checkParametersSchema`, whose bounds the schema has to meet.
 */
export const normaliseSchema = (schema: Members): NormalisedSchema => {
  const on: Normalising = {
    dialect: getDialectIndex(schema.$schema),
    moved: new Map(),
    origins: new Map(),
    anchors: new Map(),
    references: [],
    unsupported: [],
    findings: [],
    patterns: 0,
    patternWork: 0,
    hasInvertedReference: false,
  };
  record([], [], on);
  const normalised = translateMembers({ schema, given: [], path: [], isInverted: false, on });
  settle(on);
  return { schema: normalised, findings: on.findings, toGiven: (pointer) => toGiven(on, pointer) };
};
