import { isMembers, listOf, type Members, membersOf } from '../draft/reading.ts';
import { type Resolve, resolved } from '../schema/resolve-reference.ts';

/** What a value is when it is written into a query or a form. */
export type Shape =
  | { readonly kind: 'scalar'; readonly schema: unknown }
  | { readonly kind: 'list'; readonly schema: unknown }
  | { readonly kind: 'object'; readonly schema: unknown; readonly properties: Members; readonly required: ReadonlySet<string> }
  | { readonly kind: 'other'; readonly schema: unknown };

const DEPTH_MAX = 8;

const typeOf = (schema: Members): string | undefined =>
  [schema.type].flat().find((type): type is string => typeof type === 'string' && type !== 'null');

const merged = (parts: readonly Shape[], schema: Members): Shape => {
  const objects = parts.filter((part) => part.kind === 'object');
  if (objects.length < parts.length) return parts.length === 1 && parts[0] ? parts[0] : { kind: 'other', schema };
  const properties = Object.fromEntries(objects.flatMap((part) => Object.entries(part.properties)));
  return { kind: 'object', schema, properties, required: new Set(objects.flatMap((part) => [...part.required])) };
};

const ofObject = (schema: Members): Shape => {
  const required = new Set(listOf(schema.required).filter((name): name is string => typeof name === 'string'));
  return { kind: 'object', schema, properties: membersOf(schema.properties), required };
};

/** Of several forms the one that can be written in most detail: an object, then a list, then a plain value. */
const best = (shapes: readonly Shape[], schema: unknown): Shape =>
  shapes.find(({ kind }) => kind === 'object') ??
  shapes.find(({ kind }) => kind === 'list') ??
  shapes.find(({ kind }) => kind === 'scalar') ?? { kind: 'other', schema };

/** What was found of a schema at each depth: one that names itself many times is looked through once for each depth, and not once for each way. */
const known = new WeakMap<object, Shape[]>();

/** Looks through references and choices for what a value is. */
export const shapeOf = (schema: unknown, resolve: Resolve, depth = 0): Shape => {
  if (typeof schema !== 'object' || schema === null) return lookThrough(schema, resolve, depth);
  const shapes = known.get(schema) ?? [];
  known.set(schema, shapes);
  shapes[depth] ??= lookThrough(schema, resolve, depth);
  return shapes[depth];
};

const lookThrough = (schema: unknown, resolve: Resolve, depth: number): Shape => {
  const found = resolved(schema, resolve);
  if ('fault' in found || depth > DEPTH_MAX) return { kind: 'other', schema };
  const { value } = found;
  if (!isMembers(value)) return { kind: value === true || value === undefined ? 'scalar' : 'other', schema: {} };
  const type = typeOf(value);
  if (type === 'array') return { kind: 'list', schema };
  if (isMembers(value.properties)) return ofObject(value);
  const choices = [...listOf(value.anyOf), ...listOf(value.oneOf)];
  if (choices.length > 0) {
    const shapes = choices.map((each) => shapeOf(each, resolve, depth + 1));
    return shapes.every(({ kind }) => kind === 'scalar') ? { kind: 'scalar', schema } : best(shapes, schema);
  }
  const all = listOf(value.allOf);
  if (all.length > 0)
    return merged(
      all.map((each) => shapeOf(each, resolve, depth + 1)),
      value,
    );
  return { kind: type === 'object' ? 'other' : 'scalar', schema };
};

/** Whether the elements of a list are plain values, so that the list can be repeated or joined. */
export const hasPlainItems = (schema: unknown, resolve: Resolve): boolean => {
  const found = resolved(schema, resolve);
  if ('fault' in found) return false;
  const items = membersOf(found.value).items ?? (membersOf(found.value).type === 'array' ? undefined : {});
  return shapeOf(items ?? {}, resolve).kind === 'scalar';
};
