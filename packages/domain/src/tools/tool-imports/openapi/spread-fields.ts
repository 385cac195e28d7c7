import type { DraftParameter } from '../draft/proposal.ts';
import type { Resolve } from '../schema/resolve-reference.ts';
import type { Names } from './parameter-names.ts';
import { hasPlainItems, type Shape, shapeOf } from './shape-of.ts';

/** One field of a query or a form as its document has it. */
export type Field = {
  readonly name: string;
  readonly schema: unknown;
  readonly required: boolean;
  readonly description: string;
  /** `deepObject`: `name[part]`, and `name[]` for lists. `spread`: the parts by their own names. `plain`: name and value, a list repeated. */
  readonly style: 'deepObject' | 'spread' | 'plain';
};

/** What is written where, and by which parameter; or that the field cannot be written. */
export type Spread =
  | { readonly parameter: DraftParameter; readonly written: Readonly<Record<string, string>> }
  | { readonly unsent: string };

const PART = /^[A-Za-z0-9_]+$/;
const LEVELS_MAX = 3;
/** Far more than a tool has places for; what has more is not gone through for each field that refers to it. */
const PARTS_MAX = 200;

/** Places of an object's parts below its name, one for each that is a plain value or a list of them. */
const writtenParts = (
  shape: Extract<Shape, { kind: 'object' }>,
  at: { readonly name: string; readonly path: string; readonly isDeep: boolean },
  resolve: Resolve,
  level = 1,
): readonly (readonly [string, string])[] =>
  Object.entries(shape.properties).flatMap(([part, schema]) => {
    if (!PART.test(part)) return [];
    const name = at.isDeep ? `${at.name}[${part}]` : part;
    const path = `${at.path}.${part}`;
    const inner = shapeOf(schema, resolve);
    if (inner.kind === 'scalar') return [[name, `{${path}}`] as const];
    if (inner.kind === 'list') return hasPlainItems(inner.schema, resolve) ? [[at.isDeep ? `${name}[]` : name, `{${path}}`] as const] : [];
    return inner.kind === 'object' && at.isDeep && level < LEVELS_MAX
      ? writtenParts(inner, { name, path, isDeep: true }, resolve, level + 1)
      : [];
  });

/** Writes one field as templates over one parameter of the same name. */
export const spreadField = (
  { name, schema, required, description, style }: Field,
  otherwise: string,
  names: Names,
  resolve: Resolve,
): Spread => {
  const shape = shapeOf(schema, resolve);
  const parameterOf = (described: unknown): DraftParameter => ({ name: names(name, otherwise), schema: described, required, description });
  if (shape.kind === 'scalar') {
    const parameter = parameterOf(schema);
    return { parameter, written: { [name]: `{${parameter.name}}` } };
  }
  if (shape.kind === 'list') {
    if (!hasPlainItems(shape.schema, resolve)) return { unsent: 'a list of objects' };
    const parameter = parameterOf(shape.schema);
    const written = style === 'deepObject' && !name.endsWith('[]') ? `${name}[]` : name;
    return { parameter, written: { [written]: `{${parameter.name}}` } };
  }
  if (shape.kind === 'other' || style === 'plain') return { unsent: 'an object that has no place in a query or a form' };
  if (Object.keys(shape.properties).length > PARTS_MAX) return { unsent: 'an object of more parts than a tool has places for' };
  const parameter = parameterOf(shape.schema);
  const parts = writtenParts(shape, { name, path: parameter.name, isDeep: style === 'deepObject' }, resolve);
  return parts.length === 0 ? { unsent: 'an object whose parts are not known' } : { parameter, written: Object.fromEntries(parts) };
};
