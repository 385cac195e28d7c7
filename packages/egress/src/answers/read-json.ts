import { findOutOfBounds } from '@svc/domain/tools/schema/json-bounds.ts';

const RECORDABLE = { depthMax: 100, bytesMax: Number.POSITIVE_INFINITY };

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};

/** U+0000 cannot be stored in a record. */
export const decodeText = (body: Uint8Array): string =>
  Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8').replaceAll('\u0000', '\ufffd');

/** Parses JSON; undefined if it is invalid or contains what a record cannot store. */
export const readJson = (text: string): unknown => {
  const value = parse(text);
  return findOutOfBounds(value, RECORDABLE) === undefined ? value : undefined;
};

const COMMA = 0x2c;
const OPENS_LIST = 0x5b;
const OPENS_OBJECT = 0x7b;

/**
 * Returns an upper bound on the number of values in a JSON text: brackets and commas, those within strings included. Stops beyond the
 * bound.
 */
export const countValues = (body: Uint8Array, valuesMax = Number.POSITIVE_INFINITY): number => {
  let count = 0;
  for (let place = 0; place < body.length && count <= valuesMax; place += 1) {
    const byte = body[place];
    if (byte === COMMA || byte === OPENS_LIST || byte === OPENS_OBJECT) count += 1;
  }
  return count;
};

/** Returns true if a JSON text has at most so many values, without parsing it; errs on the safe side. */
export const hasFewValues = (body: Uint8Array, valuesMax: number): boolean => countValues(body, valuesMax) <= valuesMax;
