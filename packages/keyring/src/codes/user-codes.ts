import { createHmac, type KeyObject } from 'node:crypto';

/** Consonants that are easy to distinguish on paper and by telephone; they form no words. */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const LENGTH = 8;
const HALF = LENGTH / 2;

/** The short code of a command-line sign-in [user code of RFC 8628]: `BCDF-GHJK`, one of 25.6 billion. */
export type UserCodes = {
  /** Returns the code of a request, derived from its identifier and stored nowhere. */
  readonly codeOf: (requestId: string) => string;
  /** Returns the hash by which a code is looked up; it reveals nothing without the key. Accepts typed variants: lower case, no hyphen. */
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
