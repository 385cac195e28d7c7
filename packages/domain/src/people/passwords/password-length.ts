import { LIMITS } from '@svc/contract/tables/limits.ts';
import { PASSWORD_LENGTH_RULE } from '@svc/contract/tables/password-rule.ts';

const { charsMin, charsBesideFactorMin } = LIMITS.passwords;

/** The context of a password: alone, or with an enrolled second factor. */
export type Beside = 'nothing' | 'a second factor';

/**
 * Returns the fault of a new password's length (NIST SP 800-63B-4, 3.1.1.2), or undefined. Counted in code points after normalization, so
 * that
 * a character is one however it is typed. There are no composition rules.
 */
export const findPasswordLengthFault = (normalised: string, beside: Beside): string | undefined => {
  const count = [...normalised].length;
  const least = beside === 'nothing' ? charsMin : charsBesideFactorMin;
  if (count >= least) return undefined;
  return `${PASSWORD_LENGTH_RULE} All characters are allowed, including spaces. Several unrelated words are easier to remember than a complex password.`;
};

/** Returns true if it is only acceptable with a second factor. */
export const isShortPassword = (normalised: string): boolean => [...normalised].length < charsMin;
