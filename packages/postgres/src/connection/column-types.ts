import type { ColumnType } from 'kysely';

/** Read as ISO-8601 UTC with milliseconds; written as the same text, or as a Date. */
export type Time = ColumnType<string, string | Date, string | Date>;
export type TimeNow = ColumnType<string, string | Date | undefined, string | Date>;
export type MaybeTime = ColumnType<string | null, string | Date | null | undefined, string | Date | null>;
/** Read parsed; written as JSON text, so that nothing is quoted twice. */
export type Json<T> = ColumnType<T, string, string>;
export type MaybeJson<T> = ColumnType<T | null, string | null | undefined, string | null>;
export type JsonOrDefault<T> = ColumnType<T, string | undefined, string>;
/** Set by a trigger only. */
export type SetByDatabase<T> = ColumnType<T, never, never>;
