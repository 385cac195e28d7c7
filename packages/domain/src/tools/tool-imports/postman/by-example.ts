import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import { isMembers } from '../draft/reading.ts';

const DEPTH_MAX = 6;
const CHARACTERS_MAX = 100_000;
export const BY_EXAMPLE = 'The request is described only by the example in the collection.';

/** A schema that an example fits, and what is like it: every member of an object may be left out, and others be there. */
export const inferSchema = (example: unknown, depth = 0): JsonObject => {
  if (depth > DEPTH_MAX || example === null) return {};
  if (Array.isArray(example)) return { type: 'array', ...(example.length === 0 ? {} : { items: inferSchema(example[0], depth + 1) }) };
  if (isMembers(example)) {
    const properties = Object.entries(example).slice(0, 200);
    return { type: 'object', properties: Object.fromEntries(properties.map(([name, member]) => [name, inferSchema(member, depth + 1)])) };
  }
  // A variable may have a value of any type.
  if (typeof example === 'string') return example.includes('{{') ? {} : { type: 'string' };
  return typeof example === 'number' ? { type: 'number' } : { type: 'boolean' };
};

/** An unquoted variable is invalid JSON: it is replaced by null while the example is parsed. */
export const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text.slice(0, CHARACTERS_MAX).replace(/(?<=[:[,]\s{0,20})\{\{[^{}"]{1,100}\}\}/g, 'null'));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};
