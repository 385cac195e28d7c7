import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import { isJsonObject } from '../../values/check-members.ts';

/** Bounds on following one reference inside itself, and on copied schemas; beyond them a `$ref` stays and is not read. */
const DEPTH_MAX = 6;
const NODES_MAX = 4_000;

/** Keywords whose value is one schema, a list of schemas, or schemas by name. Other keywords are not followed. */
const ONE = [
  'additionalProperties',
  'items',
  'contains',
  'not',
  'if',
  'then',
  'else',
  'propertyNames',
  'unevaluatedProperties',
  'unevaluatedItems',
];
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const MAPS = ['properties', 'patternProperties', 'dependentSchemas'];

type Inlining = { readonly root: JsonObject; readonly open: Map<string, number>; nodes: number };

/** Resolves a JSON Pointer in a fragment; undefined if it leads nowhere. */
const findTarget = (root: JsonObject, reference: string): unknown => {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return undefined;
  let value: unknown = root;
  for (const part of decodeURIComponent(reference.slice(2)).split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
};

const inlineInto = (inlining: Inlining, schema: unknown): unknown => {
  if (!isJsonObject(schema)) return schema;
  inlining.nodes += 1;
  if (inlining.nodes > NODES_MAX) return { $ref: '#' };
  const copy: Record<string, unknown> = { ...schema };
  for (const keyword of ONE) if (isJsonObject(copy[keyword])) copy[keyword] = inlineInto(inlining, copy[keyword]);
  for (const keyword of LISTS) {
    const list = copy[keyword];
    if (Array.isArray(list)) copy[keyword] = list.map((each) => inlineInto(inlining, each));
  }
  for (const keyword of MAPS) {
    const map = copy[keyword];
    if (isJsonObject(map)) copy[keyword] = Object.fromEntries(Object.entries(map).map(([key, each]) => [key, inlineInto(inlining, each)]));
  }
  return followReference(inlining, copy);
};

const followReference = (inlining: Inlining, copy: Record<string, unknown>): unknown => {
  const { $ref: reference, ...rest } = copy;
  if (typeof reference !== 'string') return copy;
  const depth = inlining.open.get(reference) ?? 0;
  const target = findTarget(inlining.root, reference);
  if (target === undefined || depth >= DEPTH_MAX) return copy;
  inlining.open.set(reference, depth + 1);
  const found = inlineInto(inlining, target);
  inlining.open.set(reference, depth);
  const { $defs: _defs, definitions: _definitions, ...siblings } = rest;
  if (Object.keys(siblings).length === 0) return found;
  return { ...siblings, allOf: [...(Array.isArray(siblings.allOf) ? siblings.allOf : []), found] };
};

const known = new WeakMap<JsonObject, unknown>();

/** Returns the schema with each local `$ref` replaced by its target, within the bounds. */
export const inlineReferences = (schema: unknown): unknown => {
  if (!isJsonObject(schema)) return schema;
  const found =
    known.get(schema) ??
    (JSON.stringify(schema).includes('"$ref"') ? inlineInto({ root: schema, open: new Map(), nodes: 0 }, schema) : schema);
  known.set(schema, found);
  return found;
};
