import type { JsonType } from './declared-parameters.ts';

export const getJsonType = (value: unknown): JsonType | 'null' => {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : (typeof value as JsonType);
};
