import { parsePointer, readMember, readPointer } from '../json-pointer.ts';

/** `undeclared`: the schema lists the properties at some step and this is none of them. `open`: the schema does not say. */
export type DeclaredProperty = { readonly schema: unknown } | 'undeclared' | 'open';

const referencesMax = 16;
/** Keywords by which a schema may speak of a property outside `properties`. */
const elsewhere = ['$ref', 'allOf', 'anyOf', 'oneOf', 'if', 'dependentSchemas', 'patternProperties'];

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Follows local references, which are the only ones a parameters' schema may hold. */
const dereference = (root: unknown, schema: unknown): unknown => {
  let current = schema;
  for (let hops = 0; hops < referencesMax; hops += 1) {
    const reference = readMember(current, '$ref');
    if (typeof reference !== 'string' || Object.keys(current as object).length > 1) return current;
    current = readPointer(root, parsePointer(reference.replace(/^#/, '')) ?? []);
  }
  return undefined;
};

const step = (schema: unknown, token: string): DeclaredProperty => {
  const property = readPointer(schema, ['properties', token]);
  if (property !== undefined) return { schema: property };
  if (/^[0-9]+$/.test(token)) {
    const item = readPointer(schema, ['prefixItems', token]) ?? readMember(schema, 'items');
    if (item !== undefined) return { schema: item };
  }
  if (!isObject(readMember(schema, 'properties')) || elsewhere.some((keyword) => readMember(schema, keyword) !== undefined)) return 'open';
  const additional = readMember(schema, 'additionalProperties');
  return isObject(additional) ? { schema: additional } : 'undeclared';
};

/** Returns a parameters' schema for the value at a pointer's tokens. */
export const findDeclaredProperty = (schema: unknown, tokens: readonly string[]): DeclaredProperty => {
  let current: unknown = schema;
  for (const token of tokens) {
    const found = step(dereference(schema, current), token);
    if (typeof found === 'string') return found;
    current = found.schema;
  }
  return { schema: dereference(schema, current) };
};
