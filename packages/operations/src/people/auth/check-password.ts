import type { Refusal } from '@svc/contract/rows/refusal.ts';
import type { PasswordCaller, Passwords } from '@svc/keyring/passwords/password.ts';
import { forgiveVisitor, guessOfVisitor, type Visitor } from './guess-of-visitor.ts';
import { checkUnderLockout, type Lockout } from './under-lockout.ts';

export type PasswordChecks = Lockout & { readonly passwords: Passwords };

type Attempt = {
  readonly password: string;
  /** Returns null if there is no such person; the check then takes the same time and fails. */
  readonly passwordHash: () => Promise<string | null>;
  readonly visitor: Visitor;
  readonly now: Date;
  readonly of: PasswordCaller;
  /** True if the password is the last proof; otherwise earlier failures count until the second factor is right. */
  readonly isLast?: boolean;
};

/** Checks the password of a sign-in under the lockout. */
export const checkPassword = async (checks: PasswordChecks, attempt: Attempt): Promise<boolean | Refusal<'RATE_LIMITED'>> => {
  const { visitor, isLast = true, now } = attempt;
  const right = await checkUnderLockout(checks, { ...(await guessOfVisitor(checks, visitor, now)), now }, async () =>
    checks.passwords.verify(await attempt.passwordHash(), attempt.password, attempt.of),
  );
  if (right === true && isLast) await forgiveVisitor(checks.identity, visitor);
  return right;
};
