import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import type { DraftParameter } from '../draft/proposal.ts';
import { readMembers, readMemberValue, toLine } from '../draft/reading.ts';
import type { Resolve } from '../schema/resolve-reference.ts';
import { WHOLE } from '../schema/translate-schema.ts';
import type { ParameterNames } from './parameter-names.ts';
import { hasKnownItems, hasPlainItems, resolveShape, simplifyShape, type ValueShape } from './read-shape.ts';

/** One field of a query or a form in its document. */
export type SpreadField = {
  readonly name: string;
  readonly schema: unknown;
  readonly required: boolean;
  readonly description: string;
  /** `deepObject`: `name[part]`, `name[]` for lists, and `name[*]` for all members of an object that does not declare them. `spread`: the parts by their own names. `plain`: name and value, a list repeated. */
  readonly style: 'deepObject' | 'spread' | 'plain';
};

/** The written parts by parameter, and those that are dropped; or that the field cannot be written. */
export type Spread =
  | { readonly parameter: DraftParameter; readonly written: Readonly<Record<string, string>>; readonly unwritten: readonly string[] }
  | { readonly unsent: string };

const PART = /^[A-Za-z0-9_]+$/;
const LEVELS_MAX = 3;
/** Far more than the positions of a tool; a larger object is not visited for each field that references it. */
const PARTS_MAX = 200;
/** For one field with everything in it. */
const LOOKS_MAX = 500;

type Parts = {
  readonly written: readonly (readonly [string, string])[];
  readonly properties: readonly (readonly [string, unknown])[];
  readonly unwritten: readonly string[];
};
type At = {
  readonly name: string;
  readonly path: string;
  readonly isDeep: boolean;
  readonly level: number;
  readonly left: { looks: number };
};
type ObjectShape = Extract<ValueShape, { kind: 'object' }>;

const NOTHING: Parts = { written: [], properties: [], unwritten: [] };

const isOnlyRead = (schema: unknown): boolean => readMemberValue(schema, 'readOnly') === true;

/** Returns the object with the written members only, so that everything judged and approved is sent. */
const closed = ({ schema, required }: ObjectShape, { properties }: Parts): JsonObject => {
  const named = new Set(properties.map(([name]) => name));
  const asked = [...required].filter((name) => named.has(name));
  const { description } = readMembers(schema);
  return {
    type: 'object',
    ...(description === undefined ? {} : { description }),
    properties: Object.fromEntries(properties),
    ...(asked.length === 0 ? {} : { required: asked }),
    additionalProperties: false,
    [WHOLE]: true,
  };
};

const requiredUnwritten = (shape: ObjectShape, { properties }: Parts): string | undefined => {
  const named = new Set(properties.map(([name]) => name));
  return [...shape.required].find((name) => !named.has(name) && !isOnlyRead(shape.properties[name]));
};

/**
 * Returns true for a value that is written member by member as its caller names them: an open object, a list of objects, or a deep object.
 */
const isSpread = (shape: ValueShape, level: number, resolve: Resolve): boolean =>
  shape.kind === 'object' ? shape.open || level >= LEVELS_MAX : shape.kind === 'list' && hasKnownItems(shape.schema, resolve);

const getPart = (part: string, schema: unknown, at: At, resolve: Resolve): Parts => {
  const unwritten: Parts = { ...NOTHING, unwritten: [`${at.path}.${part}`] };
  at.left.looks -= 1;
  if (at.left.looks < 0 || !PART.test(part)) return unwritten;
  const name = at.isDeep ? `${at.name}[${part}]` : part;
  const path = `${at.path}.${part}`;
  const inner = at.isDeep ? resolveShape(schema, resolve) : simplifyShape(resolveShape(schema, resolve));
  if (inner.kind === 'scalar') return { written: [[name, `{${path}}`]], properties: [[part, schema]], unwritten: [] };
  if (inner.kind === 'list' && hasPlainItems(inner.schema, resolve))
    return { written: [[at.isDeep ? `${name}[]` : name, `{${path}}`]], properties: [[part, inner.schema]], unwritten: [] };
  if (at.isDeep && isSpread(inner, at.level, resolve))
    return { written: [[`${name}[*]`, `{${path}}`]], properties: [[part, inner.schema]], unwritten: [] };
  if (inner.kind !== 'object' || !at.isDeep) return unwritten;
  const parts = getParts(inner, { ...at, name, path, level: at.level + 1 }, resolve);
  if (parts.written.length === 0 || requiredUnwritten(inner, parts) !== undefined) return unwritten;
  return { ...parts, properties: [[part, closed(inner, parts)]] };
};

/** Places of an object's parts below its name, one for each that is a plain value or a list of them. */
const getParts = (shape: ObjectShape, at: At, resolve: Resolve): Parts => {
  const sent = Object.entries(shape.properties).filter(([, schema]) => !isOnlyRead(schema));
  const parts = sent.map(([part, schema]) => getPart(part, schema, at, resolve));
  return {
    written: parts.flatMap(({ written }) => written),
    properties: parts.flatMap(({ properties }) => properties),
    unwritten: parts.flatMap(({ unwritten }) => unwritten),
  };
};

const spreadObject = (
  shape: ObjectShape,
  { name, required, description, style }: SpreadField,
  called: () => string,
  resolve: Resolve,
): Spread => {
  const parameterName = called();
  const parts = getParts(
    shape,
    { name, path: parameterName, isDeep: style === 'deepObject', level: 1, left: { looks: LOOKS_MAX } },
    resolve,
  );
  if (parts.written.length === 0) return { unsent: 'an object whose members are not declared' };
  const missing = requiredUnwritten(shape, parts);
  if (missing !== undefined) return { unsent: `an object that requires ${toLine(missing, 80)}, which cannot be sent there` };
  const parameter = { name: parameterName, schema: closed(shape, parts), required, description };
  return { parameter, written: Object.fromEntries(parts.written), unwritten: parts.unwritten };
};

/** Writes one field as templates over one parameter of the same name. */
export const spreadField = (field: SpreadField, otherwise: string, names: ParameterNames, resolve: Resolve): Spread => {
  const { name, schema, required, description, style } = field;
  const isDeep = style === 'deepObject';
  const shape = isDeep ? resolveShape(schema, resolve) : simplifyShape(resolveShape(schema, resolve));
  const getParameter = (described: unknown): DraftParameter => ({ name: names(name, otherwise), schema: described, required, description });
  if (shape.kind === 'scalar') {
    const parameter = getParameter(schema);
    return { parameter, written: { [name]: `{${parameter.name}}` }, unwritten: [] };
  }
  const hasObjects = shape.kind === 'list' && !hasPlainItems(shape.schema, resolve);
  if (isDeep && (shape.kind === 'object' ? shape.open : hasObjects && hasKnownItems(shape.schema, resolve))) {
    const parameter = getParameter(shape.schema);
    return { parameter, written: { [`${name.replace(/\[\]$/, '')}[*]`]: `{${parameter.name}}` }, unwritten: [] };
  }
  if (shape.kind === 'list') {
    if (hasObjects) return { unsent: 'a list of objects' };
    const parameter = getParameter(shape.schema);
    const written = style === 'deepObject' && !name.endsWith('[]') ? `${name}[]` : name;
    return { parameter, written: { [written]: `{${parameter.name}}` }, unwritten: [] };
  }
  if (shape.kind === 'other' || style === 'plain') return { unsent: 'an object that cannot be sent in a query or a form' };
  if (Object.keys(shape.properties).length > PARTS_MAX) return { unsent: 'an object with more members than a tool can send' };
  return spreadObject(shape, field, () => names(name, otherwise), resolve);
};
