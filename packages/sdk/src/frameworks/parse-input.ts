import { createError } from '../wire/errors.ts';
import { isObject, type WireMembers } from '../wire/read-members.ts';

/** Interface that schema libraries share (Standard Schema). */
type StandardSchema = { readonly '~standard': { readonly validate: (value: unknown) => unknown } };

const isStandardSchema = (schema: unknown): schema is StandardSchema => {
  const standard = (schema as Partial<StandardSchema> | null | undefined)?.['~standard'];
  return typeof standard?.validate === 'function';
};

const parse = async (schema: StandardSchema, input: unknown): Promise<{ readonly value: WireMembers } | undefined> => {
  const parsed = await schema['~standard'].validate(input);
  return isObject(parsed) && parsed.issues === undefined && isObject(parsed.value) ? { value: parsed.value } : undefined;
};

/**
 * Returns the input as its schema parses it, with defaults; undefined for an invalid one. Throws PARAMETERS_CHANGED if parsing it again
 * returns something else: the framework parses again, and would run with unjudged input.
 */
export const parseInput = async (schema: unknown, input: unknown): Promise<WireMembers | undefined> => {
  if (!isStandardSchema(schema)) throw new TypeError('The input schema of a guarded tool must implement Standard Schema, such as zod.');
  const once = await parse(schema, input);
  if (once === undefined) return undefined;
  const twice = await parse(schema, once.value);
  if (JSON.stringify(twice?.value) === JSON.stringify(once.value)) return once.value;
  const message = 'The input schema changes its own output when it is parsed again, so the decision would not be for what runs.';
  throw createError({ code: 'PARAMETERS_CHANGED', message });
};
