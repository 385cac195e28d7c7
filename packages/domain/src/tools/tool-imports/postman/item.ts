import type { JsonObject } from '@svc/contract/rows/json-object.ts';
import { readMembers, readText } from '../draft/reading.ts';

/** One request with its enclosing folders, and the nearest authentication. */
export type Item = { readonly name: string; readonly folders: readonly string[]; readonly request: JsonObject; readonly auth: unknown };

/** A description is a text, or an object that holds one. */
export const readDescription = (value: unknown): string => readText(value) || readText(readMembers(value).content);
