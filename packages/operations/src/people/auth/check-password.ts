import type { Refusal } from '@svc/contract/rows/refusal.ts';
import type { PasswordOf, Passwords } from '@svc/keyring/passwords/password.ts';
import { forgiveVisitor, guessOfVisitor, type Visitor } from './guess-of-visitor.ts';
import { type Lockout, underLockout } from './under-lockout.ts';

export type PasswordChecks = Lockout & { readonly passwords: Passwords };

type Attempt = {
  readonly password: string;
  /** Null when there is no such person; the check then takes the same time and fails. */
  readonly passwordHash: () => Promise<string | null>;
  readonly visitor: Visitor;
  readonly now: Date;
  readonly of: PasswordOf;
  /** Whether a right password proves all there is to prove; otherwise what failed before it still counts until the second factor was right. */
  readonly isLast?: boolean;
};

/** Checks the password of whoever signs in, under the lockout. */
export const checkPassword = async (checks: PasswordChecks, attempt: Attempt): Promise<boolean | Refusal<'RATE_LIMITED'>> => {
  const { visitor, isLast = true, now } = attempt;
  const right = await underLockout(checks, { ...(await guessOfVisitor(checks, visitor, now)), now }, async () =>
    checks.passwords.verify(await attempt.passwordHash(), attempt.password, attempt.of),
  );
  if (right === true && isLast) await forgiveVisitor(checks.identity, visitor);
  return right;
};
