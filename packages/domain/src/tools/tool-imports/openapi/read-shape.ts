import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import { isMembers, readList, readMembers } from '../draft/reading.ts';
import { type Resolve, resolved } from '../schema/resolve-reference.ts';

/** The form of a value that is written into a query or a form. */
export type ValueShape =
  | { readonly kind: 'scalar'; readonly schema: unknown }
  | { readonly kind: 'list'; readonly schema: unknown }
  | {
      readonly kind: 'object';
      readonly schema: unknown;
      readonly properties: JsonObject;
      readonly required: ReadonlySet<string>;
      /** True if it may have members that are not declared. */
      readonly open: boolean;
      /** The plain value that is allowed instead of an object without declared members. */
      readonly otherwise?: ValueShape;
    }
  | { readonly kind: 'other'; readonly schema: unknown };

const DEPTH_MAX = 8;

const getType = (schema: JsonObject): string | undefined =>
  [schema.type].flat().find((type): type is string => typeof type === 'string' && type !== 'null');

type ObjectShape = Extract<ValueShape, { kind: 'object' }>;

const isObject = (shape: ValueShape): shape is ObjectShape => shape.kind === 'object';

/** For one value that several schemas describe together. */
const PARTS_MAX = 1_000;
const CHOICES_MAX = 50;

/** Merges equal references into one part, so that each is visited once. */
const merged = (all: readonly ValueShape[], schema: JsonObject): ValueShape => {
  if (all.length === 1 && all[0]) return all[0];
  const properties = new Map<string, unknown>();
  const required = new Set<string>();
  for (const part of new Set(all)) {
    if (part.kind !== 'object') return { kind: 'other', schema };
    for (const name in part.properties) properties.set(name, part.properties[name]);
    for (const name of part.required) required.add(name);
    if (properties.size + required.size > PARTS_MAX) return { kind: 'other', schema };
  }
  const open = all.some((part) => isObject(part) && part.open);
  return { kind: 'object', schema, properties: Object.fromEntries(properties), required, open };
};

const isOpen = ({ additionalProperties }: JsonObject): boolean => additionalProperties === true || isMembers(additionalProperties);

const ofObject = (schema: JsonObject, open: boolean): ValueShape => {
  const required = new Set(readList(schema.required).filter((name): name is string => typeof name === 'string'));
  return { kind: 'object', schema, properties: readMembers(schema.properties), required, open };
};

/** A value that is one of several objects: the parts of all of them, of which those are required that each requires. */
const united = (objects: readonly ObjectShape[], schema: JsonObject): ValueShape => {
  if (objects.length > CHOICES_MAX) return { kind: 'other', schema };
  const properties = new Map<string, unknown[]>();
  for (const { properties: own } of objects)
    for (const name in own) {
      const known = properties.get(name) ?? [];
      if (!known.includes(own[name])) properties.set(name, [...known, own[name]]);
      if (properties.size > PARTS_MAX) return { kind: 'other', schema };
    }
  const [first, ...others] = objects.map(({ required }) => required);
  const required = new Set([...(first ?? [])].filter((name) => others.every((each) => each.has(name))));
  const either = [...properties].map(([name, all]) => [name, all.length === 1 ? all[0] : { anyOf: all }] as const);
  return { kind: 'object', schema, properties: Object.fromEntries(either), required, open: objects.some(({ open }) => open) };
};

const objectAmong = (objects: readonly ObjectShape[], schema: JsonObject): ValueShape | undefined =>
  objects.length > 1 ? united(objects, schema) : objects[0];

const isUndeclared = (shape: ObjectShape): boolean => Object.keys(shape.properties).length === 0;

/** Selects from several forms the one that can be written in most detail: an object, then a list, then an object without declared members or a plain value. */
const best = (shapes: readonly ValueShape[], schema: JsonObject): ValueShape => {
  const objects = [...new Set(shapes)].filter(isObject);
  const known = objectAmong(objects.every(isUndeclared) ? [] : objects, schema);
  const list = shapes.find(({ kind }) => kind === 'list');
  const plain = shapes.find(({ kind }) => kind === 'scalar');
  const [map] = objects;
  if (known !== undefined || list !== undefined || map === undefined) return known ?? list ?? plain ?? { kind: 'other', schema };
  return { ...map, schema, open: true, ...(plain === undefined ? {} : { otherwise: plain }) };
};

/** Returns the type of a value if no members of an object can be written. */
export const simplifyShape = (shape: ValueShape): ValueShape => (isObject(shape) ? (shape.otherwise ?? shape) : shape);

/**
 * Results by value and depth: a value that is referenced many times, also by itself, is examined once per depth, and not
 * once per path or reference.
 */
const known = new WeakMap<object, ValueShape[]>();

/** Resolves references and choices to the form of a value. A plain value, or a list, keeps its reference. */
export const resolveShape = (schema: unknown, resolve: Resolve, depth = 0): ValueShape => {
  const found = resolved(schema, resolve);
  if ('fault' in found || depth > DEPTH_MAX) return { kind: 'other', schema };
  const { value } = found;
  if (!isMembers(value)) return { kind: value === true || value === undefined ? 'scalar' : 'other', schema: {} };
  const shape = shapeOfValue(value, resolve, depth);
  return shape.schema === value && shape.kind !== 'object' ? { ...shape, schema } : shape;
};

const shapeOfValue = (value: JsonObject, resolve: Resolve, depth: number): ValueShape => {
  const shapes = known.get(value) ?? [];
  known.set(value, shapes);
  shapes[depth] ??= lookThrough(value, resolve, depth);
  return shapes[depth];
};

const lookThrough = (value: JsonObject, resolve: Resolve, depth: number): ValueShape => {
  const type = getType(value);
  if (type === 'array') return { kind: 'list', schema: value };
  const all = readList(value.allOf);
  const made = (): readonly ValueShape[] => all.map((each) => resolveShape(each, resolve, depth + 1));
  if (isMembers(value.properties))
    return all.length === 0 ? ofObject(value, isOpen(value)) : merged([ofObject(value, isOpen(value)), ...made()], value);
  const choices = [...readList(value.anyOf), ...readList(value.oneOf)];
  if (choices.length > 0) {
    const shapes = choices.map((each) => resolveShape(each, resolve, depth + 1));
    return shapes.every(({ kind }) => kind === 'scalar') ? { kind: 'scalar', schema: value } : best(shapes, value);
  }
  if (all.length > 0) return merged(made(), value);
  // It lists required members, next to others that define their form.
  if (type === undefined && Array.isArray(value.required)) return ofObject(value, isOpen(value));
  const isMap = type === 'object' || (type === undefined && isOpen(value));
  return isMap ? ofObject(value, value.additionalProperties !== false) : { kind: 'scalar', schema: value };
};

/** Returns true if the elements of a list are known, so that each can be written as `name[0][member]`. */
export const hasKnownItems = (schema: unknown, resolve: Resolve): boolean => {
  const found = resolved(schema, resolve);
  return 'value' in found && resolveShape(readMembers(found.value).items ?? {}, resolve).kind !== 'other';
};

/** Returns true if the elements of a list are plain values, so that the list can be repeated or joined. */
export const hasPlainItems = (schema: unknown, resolve: Resolve): boolean => {
  const found = resolved(schema, resolve);
  if ('fault' in found) return false;
  const items = readMembers(found.value).items ?? (readMembers(found.value).type === 'array' ? undefined : {});
  return resolveShape(items ?? {}, resolve).kind === 'scalar';
};
