import type { KeyObject } from 'node:crypto';
import { SECRET_PREFIXES } from '@svc/contract/tables/ids.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { keyedDigest } from '@svc/keyring/bytes/keyed-digest.ts';
import { hashCode } from '@svc/keyring/codes/mail-code.ts';
import { deriveKey } from '@svc/keyring/sealed/master-key.ts';
import type { ResetCode } from '@svc/postgres/people/auth/password-resets.ts';

export type ResetKeys = { readonly digestKey: KeyObject; readonly codeKey: KeyObject };

/** Whether it is the secret that an operator was shown, which nobody guesses, and not the digits of a mail. */
export const isOperatorsSecret = (code: string): boolean => code.startsWith(SECRET_PREFIXES.password_reset);

const keyOf = (digestKey: KeyObject, kind: 'operator' | 'mail', email: string): string =>
  keyedDigest(digestKey, `password-reset ${kind} ${email}`);

/** Under what every code of an address is kept, of whichever kind. */
export const resetCodeKeys = ({ digestKey }: ResetKeys, email: string): string[] => [
  keyOf(digestKey, 'mail', email),
  keyOf(digestKey, 'operator', email),
];

/**
 * How a code of an address is kept: by a digest of the address, so that nothing tells which are asked for, and with a keyed hash over both, so
 * that the code of one address is none of another. An operator's secret has a place of its own, which no mailed code takes.
 */
export const resetCodeOf = ({ digestKey, codeKey }: ResetKeys, email: string, code: string, now: Date): ResetCode => {
  const key = keyOf(digestKey, isOperatorsSecret(code) ? 'operator' : 'mail', email);
  return { key, codeHash: hashCode(codeKey, code, key), now };
};

export const resetExpiry = (now: Date): Date => new Date(now.getTime() + LIMITS.codes.lifetimeSeconds * 1000);

export const resetKeysOf = (masterKey: KeyObject): ResetKeys => ({
  digestKey: deriveKey(masterKey, 'address-digests'),
  codeKey: deriveKey(masterKey, 'code-hashing'),
});
