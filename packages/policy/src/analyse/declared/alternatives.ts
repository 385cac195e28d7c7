import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import { isJsonObject } from '../../values/check-members.ts';

/** Schemas that a value has to fit together, none with alternatives at its top level. */
export type SchemaAlternative = readonly JsonObject[];

/** Alternatives beyond this number are not analysed. */
const ALTERNATIVES_MAX = 64;

const product = (
  one: readonly SchemaAlternative[] | null,
  other: readonly SchemaAlternative[] | null,
): readonly SchemaAlternative[] | null => {
  if (one === null || other === null || one.length * other.length > ALTERNATIVES_MAX) return null;
  return one.flatMap((left) => other.map((right) => [...left, ...right]));
};

const union = (parts: readonly (readonly SchemaAlternative[] | null)[]): readonly SchemaAlternative[] | null => {
  const all = parts.flatMap((part) => part ?? []);
  return parts.includes(null) || all.length > ALTERNATIVES_MAX ? null : all;
};

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/**
 * Returns the alternatives of a schema without references: a value that fits the schema fits one of them. The reverse need not hold, since
 * for
 * `oneOf` more than one may fit. Null if there are too many, or if a reference is left.
 */
export const listAlternatives = (schema: unknown): readonly SchemaAlternative[] | null => {
  if (schema === true || schema === undefined) return [[]];
  if (schema === false) return [];
  if (!isJsonObject(schema) || Object.hasOwn(schema, '$ref') || Object.hasOwn(schema, '$dynamicRef')) return null;
  const { allOf, anyOf, oneOf, if: condition, then: held, else: otherwise, dependentSchemas, ...own } = schema;
  let found: readonly SchemaAlternative[] | null = [[own]];
  for (const part of listOf(allOf)) found = product(found, listAlternatives(part));
  for (const parts of [anyOf, oneOf]) if (Array.isArray(parts)) found = product(found, union(parts.map(listAlternatives)));
  if (condition !== undefined) {
    const isHeld = product(listAlternatives(condition), listAlternatives(held));
    found = product(found, union([isHeld, product([[{ not: condition }]], listAlternatives(otherwise))]));
  }
  for (const [key, part] of isJsonObject(dependentSchemas) ? Object.entries(dependentSchemas) : []) {
    const required = { required: [key] };
    found = product(found, union([product([[required]], listAlternatives(part)), [[{ not: required }]]]));
  }
  return found;
};

/** Combines alternatives into one schema; a single one stays unchanged. */
export const joinAlternatives = (alternatives: readonly (readonly unknown[])[]): unknown => {
  const parts = alternatives.map((schemas) => {
    const [only] = schemas;
    if (schemas.length === 0) return true;
    return schemas.length === 1 ? only : { allOf: schemas };
  });
  const distinct = [...new Map(parts.map((part) => [JSON.stringify(part), part])).values()];
  return distinct.length === 1 ? distinct[0] : { anyOf: distinct };
};
