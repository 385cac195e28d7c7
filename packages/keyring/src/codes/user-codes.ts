import { createHmac, type KeyObject } from 'node:crypto';

/** Consonants that are told apart on paper and on the telephone; no word comes of them. */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const LENGTH = 8;
const HALF = LENGTH / 2;

/** The short code of a sign-in of the command line [user code of RFC 8628]: `BCDF-GHJK`, one of 25 thousand million. */
export type UserCodes = {
  /** Of a request, by its identifier: made of it and kept nowhere. */
  readonly codeOf: (requestId: string) => string;
  /** What a code is found by; tells nothing of it to whoever has not the key. Takes what people type: small letters, no hyphen. */
  readonly hashOf: (code: string) => Buffer;
};

export const newUserCodes = (key: KeyObject): UserCodes => {
  const digest = (purpose: 'code' | 'hash', text: string): Buffer => createHmac('sha256', key).update(`${purpose}\n${text}`).digest();
  return {
    codeOf: (requestId) => {
      // 64 bits to 20^8 values, so that no letter is likelier than another by more than one in 10^8.
      let left = digest('code', requestId).readBigUInt64BE();
      let code = '';
      for (; code.length < LENGTH; left /= BigInt(LETTERS.length)) code += LETTERS.charAt(Number(left % BigInt(LETTERS.length)));
      return `${code.slice(0, HALF)}-${code.slice(HALF)}`;
    },
    hashOf: (code) => digest('hash', code.toUpperCase().replace('-', '')),
  };
};
