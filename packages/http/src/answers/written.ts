const JSON_TEXT = Symbol('JSON text');

/** Bytes on their way to a caller, and what to do when they are there or never will be. */
export type Held = { readonly release: () => void };

/** A result whose JSON text is written already, as text or, where it is long, as bytes of UTF-8. */
export type Written<Result> = { readonly [JSON_TEXT]: string | Buffer; readonly held?: Held; readonly gzip?: Buffer; readonly of?: Result };

export const written = <Result>(text: string | Buffer, held?: Held): Written<Result> => ({ [JSON_TEXT]: text, ...(held ? { held } : {}) });

/** A long document that is the same for all callers, with its compressed form. */
export const writtenDocument = <Result>(text: Buffer, gzip: Buffer): Written<Result> => ({ [JSON_TEXT]: text, gzip });

export const isWritten = (result: unknown): result is Written<unknown> =>
  typeof result === 'object' && result !== null && JSON_TEXT in result;

/** What has to be given back once the answer is with its caller. */
export const heldBy = (result: unknown): Held | undefined => (isWritten(result) ? result.held : undefined);

/** The compressed form of the JSON text, where it was made in advance. */
export const findGzip = (result: unknown): Buffer | undefined => (isWritten(result) ? result.gzip : undefined);

/** The JSON text of whatever a handler answers. */
export const jsonTextOf = (result: unknown): string | Buffer => (isWritten(result) ? result[JSON_TEXT] : JSON.stringify(result));
