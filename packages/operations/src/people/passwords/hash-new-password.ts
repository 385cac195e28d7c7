import { isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { type Beside, findPasswordLengthFault, isShortPassword } from '@svc/domain/people/passwords/password-length.ts';
import { GUESSABLE, isGuessable } from '@svc/keyring/passwords/guessable-password.ts';
import { normalized, type PasswordCaller, type Passwords } from '@svc/keyring/passwords/password.ts';

type Chosen = {
  readonly password: string;
  /** Values that an attacker would try first: the person's name, address and organization. */
  readonly known: readonly string[];
  readonly beside: Beside;
  /** Tenant key of the queue it waits in. */
  readonly of: PasswordCaller;
};

/** A new password in its stored form. A short one is valid only with a second factor. */
export type HashedPassword = { readonly phc: string; readonly isShort: boolean };

/** A hashed password, or why the password is invalid. */
export type Hashed = HashedPassword | { readonly fault: string };

/** Hashes a new password. Every new password passes here: it is checked by NIST SP 800-63B-4, then hashed in a lane. */
export const hashNewPassword = async (
  passwords: Passwords,
  { password, known, beside, of }: Chosen,
): Promise<Hashed | Refusal<'RATE_LIMITED'>> => {
  const chosen = normalized(password);
  const fault = findPasswordLengthFault(chosen, beside);
  if (fault !== undefined) return { fault };
  const hashed = await passwords.hash(chosen, (each) => isGuessable(each, known, beside === 'a second factor'), of);
  if (isRefusal(hashed)) return hashed;
  return hashed.phc === null ? { fault: GUESSABLE } : { phc: hashed.phc, isShort: isShortPassword(chosen) };
};
