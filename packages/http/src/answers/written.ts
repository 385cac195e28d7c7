import type { Compressed } from './choose-encoding.ts';

const JSON_TEXT = Symbol('JSON text');

/** Bytes in transit to a caller; `release` is called when they arrived or never will. */
export type HeldBytes = { readonly release: () => void };

/** A result whose JSON is already serialized, as text or, if long, as UTF-8 bytes. */
export type SerializedResult<Result> = {
  readonly [JSON_TEXT]: string | Buffer;
  readonly held?: HeldBytes;
  readonly compressed?: Compressed;
  readonly of?: Result;
};

export const serializeResponse = <Result>(text: string | Buffer, held?: HeldBytes): SerializedResult<Result> => ({
  [JSON_TEXT]: text,
  ...(held ? { held } : {}),
});

/** A long document that is the same for all callers, with its compressed forms. */
export const serializeDocument = <Result>(text: Buffer, compressed: Compressed): SerializedResult<Result> => ({
  [JSON_TEXT]: text,
  compressed,
});

export const isWritten = (result: unknown): result is SerializedResult<unknown> =>
  typeof result === 'object' && result !== null && JSON_TEXT in result;

/** Returns what must be released once the caller has the response. */
export const getHeldResources = (result: unknown): HeldBytes | undefined => (isWritten(result) ? result.held : undefined);

/** The compressed forms of the JSON text, where they were made in advance. */
export const findCompressed = (result: unknown): Compressed | undefined => (isWritten(result) ? result.compressed : undefined);

/** Returns the JSON text of a handler's result. */
export const serializeJson = (result: unknown): string | Buffer => (isWritten(result) ? result[JSON_TEXT] : JSON.stringify(result));
