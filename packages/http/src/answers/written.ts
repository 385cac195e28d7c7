import type { Compressed } from './choose-encoding.ts';

const JSON_TEXT = Symbol('JSON text');

/** Bytes on their way to a caller, and what to do when they are there or never will be. */
export type Held = { readonly release: () => void };

/** A result whose JSON text is written already, as text or, where it is long, as bytes of UTF-8. */
export type Written<Result> = {
  readonly [JSON_TEXT]: string | Buffer;
  readonly held?: Held;
  readonly compressed?: Compressed;
  readonly of?: Result;
};

export const written = <Result>(text: string | Buffer, held?: Held): Written<Result> => ({ [JSON_TEXT]: text, ...(held ? { held } : {}) });

/** A long document that is the same for all callers, with its compressed forms. */
export const writtenDocument = <Result>(text: Buffer, compressed: Compressed): Written<Result> => ({ [JSON_TEXT]: text, compressed });

export const isWritten = (result: unknown): result is Written<unknown> =>
  typeof result === 'object' && result !== null && JSON_TEXT in result;

/** What has to be given back once the answer is with its caller. */
export const heldBy = (result: unknown): Held | undefined => (isWritten(result) ? result.held : undefined);

/** The compressed forms of the JSON text, where they were made in advance. */
export const findCompressed = (result: unknown): Compressed | undefined => (isWritten(result) ? result.compressed : undefined);

/** The JSON text of whatever a handler answers. */
export const jsonTextOf = (result: unknown): string | Buffer => (isWritten(result) ? result[JSON_TEXT] : JSON.stringify(result));
