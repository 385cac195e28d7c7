import type { JsonObject } from '@svc/contract/rows/json-object.ts';

const LENGTHS = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'] as const;

const isLength = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/** Returns a bound as a number; in OpenAPI 3.0 a separate keyword makes it exclusive. */
const bound = (schema: JsonObject, inclusive: 'minimum' | 'maximum', exclusive: 'exclusiveMinimum' | 'exclusiveMaximum'): JsonObject => {
  const [at, out] = [schema[inclusive], schema[exclusive]];
  if (out === true && isNumber(at)) return { [exclusive]: at };
  return { ...(isNumber(at) ? { [inclusive]: at } : {}), ...(isNumber(out) ? { [exclusive]: out } : {}) };
};

/** Returns keywords of plain values with a valid value; others are ignored. */
export const plainKeywords = (schema: JsonObject): JsonObject => {
  const { multipleOf, uniqueItems } = schema;
  return {
    ...Object.fromEntries(LENGTHS.filter((keyword) => isLength(schema[keyword])).map((keyword) => [keyword, schema[keyword]])),
    ...bound(schema, 'minimum', 'exclusiveMinimum'),
    ...bound(schema, 'maximum', 'exclusiveMaximum'),
    ...(isNumber(multipleOf) && multipleOf > 0 ? { multipleOf } : {}),
    ...(uniqueItems === true ? { uniqueItems } : {}),
  };
};
