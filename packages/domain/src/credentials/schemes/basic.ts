import type { Scheme, SchemeEncoding } from './scheme.ts';

const BITS_OF_BYTE = 8;
const BITS_OF_BASE64 = 6;

const encoding: SchemeEncoding = {
  write: (text) => `Basic ${btoa(text)}`,
  show: (mark) => `Basic ${mark}`,
  // Each character of base64 that depends on the secret.
  revealing: ([before, after], secret) => {
    const from = Math.floor((before.length * BITS_OF_BYTE) / BITS_OF_BASE64);
    const to = Math.ceil(((before.length + secret.length) * BITS_OF_BYTE) / BITS_OF_BASE64);
    return [btoa(`${before}${secret}${after}`).slice(from, to)];
  },
};

/** HTTP basic authentication (RFC 7617) with the secret as the password or as the user name. */
export const basic: Scheme = {
  needs: [],
  allows: ['secret_is', 'username'],
  faults: ({ secret_is, username }) =>
    secret_is === 'USERNAME' && username !== undefined
      ? [{ pointer: '/placement/username', message: 'is the secret itself where secret_is says USERNAME' }]
      : [],
  slot: () => ({ in: 'HEADER', name: 'authorization' }),
  around: ({ secret_is, username = '' }) => (secret_is === 'USERNAME' ? ['', ':'] : [`${username}:`, '']),
  encoding,
};
