import type { Endpoint } from '@svc/contract/rows/endpoint.ts';
import { type Refusal, refusal } from '@svc/contract/rows/refusal.ts';
import { HEADERS } from '@svc/contract/tables/wire-name.ts';

/** Two of the header arrive as one text with a space in it, which is no key. */
const KEY = /^[\x21-\x7e]{1,255}$/;

type HeaderValues = Readonly<Record<string, string | string[] | undefined>>;

/** The key a request gave, undefined when it gave none or its row takes none. */
export const idempotencyKeyOf = (row: Endpoint, headers: HeaderValues): string | undefined => {
  const given = headers[HEADERS.idempotencyKey];
  return row.idempotent && typeof given === 'string' ? given : undefined;
};

/** Refuses a key that cannot be one. Whoever sends a key relies on it, so none is passed over in silence. */
export const idempotencyKeyRefusal = (row: Endpoint, headers: HeaderValues): Refusal<'INVALID_REQUEST'> | undefined => {
  const key = idempotencyKeyOf(row, headers);
  return key === undefined || KEY.test(key)
    ? undefined
    : refusal('INVALID_REQUEST', 'Idempotency-Key must be sent once, with 1 to 255 visible ASCII characters without spaces.');
};
