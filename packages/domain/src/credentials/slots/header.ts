import { CONNECTION_HEADERS } from '../../tools/request/connection-headers.ts';
import type { CredentialSlot } from './slot.ts';

const TOKEN = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
const SENDABLE = /^[\t -~\u0080-\u00ff]*$/;

const nameFault: CredentialSlot['nameFault'] = (name) => {
  if (!TOKEN.test(name)) return 'is no name of a header';
  if (CONNECTION_HEADERS.has(name.toLowerCase())) return 'belongs to the connection itself';
  // A program that stores headers by name cannot have one of this name.
  return name.toLowerCase() === '__proto__' ? 'is no name of a header' : undefined;
};

/** A header. A line end in its text would begin another header, so such a text is not placed. */
export const header: CredentialSlot = {
  needsBody: false,
  describe: (name) => `header ${name.toLowerCase()}`,
  nameFault,
  keyOf: (name) => name.toLowerCase(),
  place: (request, name, text) => {
    if (!SENDABLE.test(text)) return { unplaced: 'The credential of the call does not fit into a header. Store another one.' };
    return { ...request, headers: { ...request.headers, [name.toLowerCase()]: text } };
  },
};
