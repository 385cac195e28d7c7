import { type Members, readMembers, readText } from '../draft/reading.ts';

/** One request with its enclosing folders, and the nearest authentication. */
export type Item = { readonly name: string; readonly folders: readonly string[]; readonly request: Members; readonly auth: unknown };

/** A description is a text, or an object that holds one. */
export const readDescription = (value: unknown): string => readText(value) || readText(readMembers(value).content);
