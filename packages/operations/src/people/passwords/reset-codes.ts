import type { KeyObject } from 'node:crypto';
import { SECRET_PREFIXES } from '@svc/contract/tables/ids.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { keyedDigest } from '@svc/keyring/bytes/keyed-digest.ts';
import { hashCode, newMailCode } from '@svc/keyring/codes/mail-code.ts';
import { deriveKey } from '@svc/keyring/sealed/master-key.ts';
import { newSecretToken } from '@svc/keyring/tokens/secret-token.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { insertResetCode, type ResetCode } from '@svc/postgres/people/passwords/password-resets.ts';

export type ResetKeys = { readonly digestKey: KeyObject; readonly codeKey: KeyObject };

/** True if it is the secret that an operator was shown, which cannot be guessed, and not the digits of a mail. */
export const isOperatorsSecret = (code: string): boolean => code.startsWith(SECRET_PREFIXES.password_reset);

const KINDS = ['mail', 'link', 'operator'] as const;
type ResetKind = (typeof KINDS)[number];

const getKind = (code: string): ResetKind => {
  if (isOperatorsSecret(code)) return 'operator';
  return code.startsWith(SECRET_PREFIXES.password_link) ? 'link' : 'mail';
};

/** True if it is the digits of a mail, which can be guessed, unlike the secret of its link and that of an operator. */
export const isGuessable = (code: string): boolean => getKind(code) === 'mail';

const getKey = (digestKey: KeyObject, kind: ResetKind, email: string): string => keyedDigest(digestKey, `password-reset ${kind} ${email}`);

/** Returns the keys of all codes of an address, of every kind. */
export const resetCodeKeys = ({ digestKey }: ResetKeys, email: string): string[] => KINDS.map((kind) => getKey(digestKey, kind, email));

/**
 * Returns the stored form of a code: a digest of the address, so that the table does not disclose which addresses requested one, and a
 * keyed hash over both, so that the code is valid for one address only. Each kind has a slot of its own; only the tries of digits are
 * counted.
 */
export const hashResetCode = ({ digestKey, codeKey }: ResetKeys, email: string, code: string, now: Date): ResetCode => {
  const key = getKey(digestKey, getKind(code), email);
  return { key, codeHash: hashCode(codeKey, code, key), isCounted: isGuessable(code), now };
};

export const resetExpiry = (now: Date): Date => new Date(now.getTime() + LIMITS.codes.lifetimeSeconds * 1000);

export const listResetKeys = (masterKey: KeyObject): ResetKeys => ({
  digestKey: deriveKey(masterKey, 'address-digests'),
  codeKey: deriveKey(masterKey, 'code-hashing'),
});

/** Codes in one mail for setting a password: digits to type, and a link with a secret that cannot be guessed or used up by others. */
export type MailedCodes = { readonly code: string; readonly link: string };

export const newMailedCodes = (service: string, email: string): MailedCodes & { readonly secret: string } => {
  const secret = newSecretToken(SECRET_PREFIXES.password_link);
  // In the URL fragment, so that no server logs it.
  return { code: newMailCode(), secret, link: `${service}/reset-password#${new URLSearchParams({ email, code: secret })}` };
};

type Keeping = { readonly email: string; readonly now: Date; readonly always?: boolean };

/** Stores both in place of the previous ones; false if none is to be sent, as stated by `insertResetCode`. */
export const keepMailedCodes = async (
  tx: TenantTransaction,
  keys: ResetKeys,
  { code, secret }: { readonly code: string; readonly secret: string },
  { email, now, always = false }: Keeping,
): Promise<boolean> => {
  const expiresAt = resetExpiry(now);
  const isKept = await insertResetCode(tx, { ...hashResetCode(keys, email, code, now), expiresAt, always });
  if (isKept) await insertResetCode(tx, { ...hashResetCode(keys, email, secret, now), expiresAt, always: true });
  return isKept;
};
