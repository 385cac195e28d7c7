import { evaluateSchema } from './evaluate-schema.ts';

/** True for a value that surely fits a schema without references. */
export const surelyAdmits = (schema: unknown, value: unknown): boolean => evaluateSchema(schema, value) === true;
