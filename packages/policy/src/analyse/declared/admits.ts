import { isJsonObject } from '../../values/check-members.ts';
import type { JsonType } from './declared-parameters.ts';

type Check = (value: unknown, bound: unknown) => boolean;

export const jsonTypeOf = (value: unknown): JsonType | 'null' => {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : (typeof value as JsonType);
};

const hasType = (value: unknown, type: unknown): boolean => {
  if (type === 'integer') return Number.isInteger(value);
  return jsonTypeOf(value) === type;
};

const aboutNumbers =
  (check: (value: number, bound: number) => boolean): Check =>
  (value, bound) =>
    typeof value !== 'number' || check(value, Number(bound));
const aboutTexts =
  (check: (length: number, bound: number) => boolean): Check =>
  (value, bound) =>
    typeof value !== 'string' || check([...value].length, Number(bound));
const aboutListsAndObjects: Check = (value) => typeof value !== 'object' || value === null;
const anything: Check = () => true;

/** Keywords that are read, each with whether it surely lets the value through. */
const CHECKS: Readonly<Record<string, Check>> = {
  type: (value, types) => [types].flat().some((type) => hasType(value, type)),
  enum: (value, words) => Array.isArray(words) && words.includes(value),
  const: (value, word) => value === word,
  minimum: aboutNumbers((value, bound) => value >= bound),
  maximum: aboutNumbers((value, bound) => value <= bound),
  exclusiveMinimum: aboutNumbers((value, bound) => value > bound),
  exclusiveMaximum: aboutNumbers((value, bound) => value < bound),
  multipleOf: (value) => typeof value !== 'number',
  minLength: aboutTexts((length, bound) => length >= bound),
  maxLength: aboutTexts((length, bound) => length <= bound),
  pattern: (value) => typeof value !== 'string',
  format: (value) => typeof value !== 'string',
  ...Object.fromEntries(['title', 'description', 'default', 'examples', 'deprecated', '$comment'].map((note) => [note, anything])),
};

/** Whether a value surely fits a schema. What is not read here is not sure. */
export const surelyAdmits = (schema: unknown, value: unknown): boolean => {
  if (schema === true || schema === undefined) return true;
  if (!isJsonObject(schema)) return false;
  return Object.entries(schema).every(([keyword, bound]) => (CHECKS[keyword] ?? aboutListsAndObjects)(value, bound));
};
