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

/** Whether it is the secret that an operator was shown, which nobody guesses, and not the digits of a mail. */
export const isOperatorsSecret = (code: string): boolean => code.startsWith(SECRET_PREFIXES.password_reset);

const KINDS = ['mail', 'link', 'operator'] as const;
type ResetKind = (typeof KINDS)[number];

const kindOf = (code: string): ResetKind => {
  if (isOperatorsSecret(code)) return 'operator';
  return code.startsWith(SECRET_PREFIXES.password_link) ? 'link' : 'mail';
};

/** Whether it is the digits of a mail, which somebody may guess; the secret of its link and that of an operator nobody does. */
export const isGuessable = (code: string): boolean => kindOf(code) === 'mail';

const keyOf = (digestKey: KeyObject, kind: ResetKind, email: string): string => keyedDigest(digestKey, `password-reset ${kind} ${email}`);

/** Under what every code of an address is kept, of whichever kind. */
export const resetCodeKeys = ({ digestKey }: ResetKeys, email: string): string[] => KINDS.map((kind) => keyOf(digestKey, kind, email));

/**
 * How a code of an address is kept: by a digest of the address, so that nothing tells which are asked for, and with a keyed hash over both, so
 * that the code of one address is none of another. Each kind has a place of its own, which no other takes; of digits alone the tries are counted.
 */
export const resetCodeOf = ({ digestKey, codeKey }: ResetKeys, email: string, code: string, now: Date): ResetCode => {
  const key = keyOf(digestKey, kindOf(code), email);
  return { key, codeHash: hashCode(codeKey, code, key), isCounted: isGuessable(code), now };
};

export const resetExpiry = (now: Date): Date => new Date(now.getTime() + LIMITS.codes.lifetimeSeconds * 1000);

export const resetKeysOf = (masterKey: KeyObject): ResetKeys => ({
  digestKey: deriveKey(masterKey, 'address-digests'),
  codeKey: deriveKey(masterKey, 'code-hashing'),
});

/** What one mail has to set a new password by: digits to be typed, and a link that strangers neither guess nor use up. */
export type MailedCodes = { readonly code: string; readonly link: string };

export const newMailedCodes = (service: string, email: string): MailedCodes & { readonly secret: string } => {
  const secret = newSecretToken(SECRET_PREFIXES.password_link);
  // Behind the #, so that no server on the way writes it down.
  return { code: newMailCode(), secret, link: `${service}/reset-password#${new URLSearchParams({ email, code: secret })}` };
};

type Keeping = { readonly email: string; readonly now: Date; readonly always?: boolean };

/** Keeps both in the place of those before them; false where none is to be sent, as `insertResetCode` says. */
export const keepMailedCodes = async (
  tx: TenantTransaction,
  keys: ResetKeys,
  { code, secret }: { readonly code: string; readonly secret: string },
  { email, now, always = false }: Keeping,
): Promise<boolean> => {
  const expiresAt = resetExpiry(now);
  const isKept = await insertResetCode(tx, { ...resetCodeOf(keys, email, code, now), expiresAt, always });
  if (isKept) await insertResetCode(tx, { ...resetCodeOf(keys, email, secret, now), expiresAt, always: true });
  return isKept;
};
