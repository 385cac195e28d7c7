import { type Members, membersOf, textOf } from '../draft/reading.ts';

/** One request with its enclosing folders, and the nearest authentication. */
export type Item = { readonly name: string; readonly folders: readonly string[]; readonly request: Members; readonly auth: unknown };

/** A description is a text, or an object that holds one. */
export const descriptionOf = (value: unknown): string => textOf(value) || textOf(membersOf(value).content);
