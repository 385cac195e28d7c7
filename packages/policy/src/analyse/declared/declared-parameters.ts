import { isJsonObject } from '../../values/check-members.ts';
import type { PathSegment } from '../../values/path.ts';
import { joinAlternatives, listAlternatives, type SchemaAlternative } from './alternatives.ts';
import { buildMemberSchemas } from './evaluate-schema.ts';
import { inlineReferences } from './inline-references.ts';
import { getJsonType } from './json-type.ts';
import { buildObject, isEntangled } from './sample-values.ts';

export type JsonType = 'string' | 'number' | 'boolean' | 'object' | 'array';
type Types = ReadonlySet<JsonType | 'null'>;

/**
 * The presence of a value in the parameters of a tool. `always`: every request has it. `maybe`: a request can leave it out. `never`: no
 * request has it. `unsaid`: the schema uses a form that is not read here. `schema` is the schema of the value itself, without references.
 */
export type Presence = {
  readonly there: 'always' | 'maybe' | 'never' | 'unsaid';
  readonly schema: unknown;
};

const ALL: readonly (JsonType | 'null')[] = ['string', 'number', 'boolean', 'object', 'array', 'null'];
const UNSAID: Presence = { there: 'unsaid', schema: false };
const NEVER: Presence = { there: 'never', schema: false };

const namedType = (type: unknown): JsonType | 'null' => (type === 'integer' ? 'number' : type) as JsonType | 'null';

/** Returns the types that one schema without alternatives leaves. */
const typesLeft = ({ type, enum: words, not, ...schema }: Readonly<Record<string, unknown>>): Types => {
  let left: (JsonType | 'null')[] = [...ALL];
  const keep = (types: readonly unknown[]): void => {
    left = left.filter((one) => types.includes(one));
  };
  if (Array.isArray(words)) keep(words.map(getJsonType));
  if (Object.hasOwn(schema, 'const')) keep([getJsonType(schema.const)]);
  if (type !== undefined) keep([type].flat().map(namedType));
  if (isJsonObject(not) && Object.keys(not).length === 1 && not.type !== undefined) {
    const out = [not.type].flat().filter((one) => one !== 'integer');
    left = left.filter((one) => !out.includes(one));
  }
  return new Set(left);
};

const typesOfAlternative = (schemas: SchemaAlternative): Types => {
  const each = schemas.map(typesLeft);
  return new Set(ALL.filter((type) => each.every((types) => types.has(type))));
};

/** Returns the types that a schema admits, `null` among them; null if it cannot be read. */
export const readTypes = (schema: unknown): Types | null => {
  const alternatives = listAlternatives(schema);
  return alternatives === null ? null : new Set(alternatives.flatMap((one) => [...typesOfAlternative(one)]));
};

type Member = { readonly there: 'always' | 'maybe' | 'never'; readonly schemas: readonly unknown[] };

/** Returns the schema of a member in one alternative of an object; undefined if its form is not read here. */
const getMember = (schemas: SchemaAlternative, { key }: PathSegment): Member | undefined => {
  const found: unknown[] = [];
  for (const schema of schemas) {
    const own = buildMemberSchemas(schema, key);
    if (own === undefined) return undefined;
    found.push(...own);
  }
  const parts = found.filter((each) => each !== true);
  if (parts.includes(false) || readTypes({ allOf: parts })?.size === 0) return { there: 'never', schemas: [false] };
  const isRequired = schemas.some(({ required }) => Array.isArray(required) && required.includes(key));
  return { there: isRequired ? 'always' : 'maybe', schemas: parts };
};

/** Returns the schema of the elements of a list in one alternative, or of the one at an index; undefined if no list is allowed. */
const getElement = (schemas: SchemaAlternative, index: number): Member | undefined => {
  if (!typesOfAlternative(schemas).has('array')) return undefined;
  const parts = schemas.map(({ items = true, prefixItems }) => {
    const prefix = Array.isArray(prefixItems) ? prefixItems : [];
    if (index >= 0) return prefix[index] ?? items;
    return prefix.length === 0 ? items : { anyOf: [...prefix, items] };
  });
  const least = Math.max(0, ...schemas.map(({ minItems }) => (typeof minItems === 'number' ? minItems : 0)));
  const there = parts.includes(false) ? 'never' : index >= 0 && least > index ? 'always' : 'maybe';
  return { there, schemas: there === 'never' ? [false] : parts.filter((each) => each !== true) };
};

/** Steps into each alternative of a value; `others` is true if the value may be one that the step leads into nothing of. */
const stepInto = (
  alternatives: readonly SchemaAlternative[],
  segment: PathSegment,
): { readonly members: Member[]; readonly others: boolean } | null => {
  const members: Member[] = [];
  let others = false;
  for (const schemas of alternatives) {
    const types = typesOfAlternative(schemas);
    if (types.size === 0) continue;
    const inList = segment.index >= 0 ? getElement(schemas, segment.index) : undefined;
    if (types.has('object')) {
      const member = getMember(schemas, segment);
      if (member === undefined) return null;
      members.push(member);
    }
    if (inList !== undefined) members.push(inList);
    others ||= [...types].some((type) => type !== 'object' && !(type === 'array' && inList !== undefined));
  }
  return { members, others };
};

const findPresence = (members: readonly Member[], others: boolean): Presence => {
  const possible = members.filter(({ there }) => there !== 'never');
  if (possible.length === 0) return NEVER;
  const schema = joinAlternatives(possible.map(({ schemas }) => schemas));
  const isAlways = !others && members.every(({ there }) => there === 'always');
  return { there: isAlways ? 'always' : 'maybe', schema };
};

const atPath = (schema: unknown, [segment, ...rest]: readonly PathSegment[], isRoot: boolean): Presence => {
  const alternatives = listAlternatives(schema);
  if (alternatives === null || segment === undefined || segment.each) return UNSAID;
  const step = stepInto(isRoot ? alternatives.map((one) => [...one, { type: 'object' }]) : alternatives, segment);
  if (step === null) return UNSAID;
  const member = findPresence(step.members, step.others);
  if (member.there === 'never') return NEVER;
  const types = readTypes(member.schema);
  if (types === null) return UNSAID;
  const mayBeLeftOut = member.there === 'maybe' || types.has('null');
  const [next] = rest;
  if (next === undefined || next.each) {
    const there = mayBeLeftOut ? 'maybe' : 'always';
    return { there: next?.each && there === 'always' ? 'unsaid' : there, schema: member.schema };
  }
  const inner = atPath(member.schema, rest, false);
  if (inner.there === 'never' || inner.there === 'unsaid') return inner;
  return mayBeLeftOut ? { ...inner, there: 'maybe' } : inner;
};

/** Returns the presence of the value at a path into the parameters, by the schema of a tool. */
export const readPresence = (schema: unknown, segments: readonly PathSegment[]): Presence =>
  isJsonObject(schema) ? atPath(inlineReferences(schema), segments, true) : UNSAID;

/**
 * Returns true if a request for the tool can certainly have this value at a path, or none if it is undefined. For schemas whose members
 * depend
 * on each other, whole parameters are built and checked.
 */
export const canHold = (schema: unknown, segments: readonly PathSegment[], value: unknown): boolean => {
  const inlined = inlineReferences(schema);
  if (!isEntangled(inlined) || segments.some(({ each, index }) => each || index >= 0)) return true;
  return buildObject(inlined, segments, value) !== undefined;
};

/** Returns true if the parameters of the tool must have a value at a path, which may be null. */
export const mustBeThere = (schema: unknown, segments: readonly PathSegment[]): boolean =>
  !segments.some(({ each, index }) => each || index >= 0) && buildObject(inlineReferences(schema), segments, undefined) === undefined;

/** Returns the schema of each element of a list; undefined if its form is not read here, or if no list is allowed. */
export const buildElementSchema = (list: unknown): unknown => {
  const alternatives = listAlternatives(inlineReferences(list));
  if (alternatives === null || list === undefined || list === true) return undefined;
  const possible = alternatives.filter((one) => typesOfAlternative(one).size > 0);
  if (possible.some((one) => typesOfAlternative(one).has('object'))) return undefined;
  const elements = possible.flatMap((one) => getElement(one, -1) ?? []);
  return elements.length === 0 ? undefined : joinAlternatives(elements.map(({ schemas }) => schemas));
};
