import { LIMITS } from '@svc/contract/tables/limits.ts';
import { PASSWORD_LENGTH_RULE } from '@svc/contract/tables/password-rule.ts';

const { charsMin, charsBesideFactorMin } = LIMITS.passwords;

/** What a password stands beside: nothing, or a second factor that whoever sets it has enrolled. */
export type Beside = 'nothing' | 'a second factor';

/**
 * What is wrong with the length of a new password (NIST SP 800-63B-4, 3.1.1.2), or undefined. Counted in code points once normalised, so that
 * one character is one however it is typed. Nothing is asked of what it is composed of.
 */
export const passwordLengthFault = (normalised: string, beside: Beside): string | undefined => {
  const count = [...normalised].length;
  const least = beside === 'nothing' ? charsMin : charsBesideFactorMin;
  if (count >= least) return undefined;
  return `${PASSWORD_LENGTH_RULE} All characters are allowed, including spaces. Several unrelated words are easier to remember than a complex password.`;
};

/** Whether it holds only beside a second factor. */
export const isShortPassword = (normalised: string): boolean => [...normalised].length < charsMin;
