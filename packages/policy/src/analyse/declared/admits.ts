import { evaluateSchema } from './evaluate-schema.ts';

/** Returns true if a value certainly fits a schema without references. */
export const surelyAdmits = (schema: unknown, value: unknown): boolean => evaluateSchema(schema, value) === true;
