import type { JsonObject } from '@svc/contract/rows/json-object.ts';
export const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns a member of an object that is an object itself; an empty one otherwise. */
export const objectAt = (value: unknown, name: string): JsonObject => {
  const member = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return isObject(member) ? member : {};
};

export const listAt = (value: unknown, name: string): readonly unknown[] => {
  const member = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return Array.isArray(member) ? member : [];
};

export const textAt = (value: unknown, name: string): string | undefined => {
  const member = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return typeof member === 'string' ? member : undefined;
};
