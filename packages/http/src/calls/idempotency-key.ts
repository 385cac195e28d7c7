import type { Endpoint } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { HEADERS } from '@svc/contract/tables/wire-name.ts';

/** Two such headers arrive as one text with a space in it, which is no valid key. */
const KEY = /^[\x21-\x7e]{1,255}$/;

type HeaderValues = Readonly<Record<string, string | string[] | undefined>>;

/** Returns the key of a request; undefined if there is none or its row accepts none. */
export const readIdempotencyKey = (row: Endpoint, headers: HeaderValues): string | undefined => {
  const given = headers[HEADERS.idempotencyKey];
  return row.idempotent && typeof given === 'string' ? given : undefined;
};

/** Refuses an invalid key. A client that sends a key relies on it, so none is ignored. */
export const findIdempotencyKeyRefusal = (row: Endpoint, headers: HeaderValues): Refusal<'INVALID_REQUEST'> | undefined => {
  const key = readIdempotencyKey(row, headers);
  return key === undefined || KEY.test(key)
    ? undefined
    : buildRefusal('INVALID_REQUEST', 'Idempotency-Key must be sent once, with 1 to 255 visible ASCII characters without spaces.');
};
