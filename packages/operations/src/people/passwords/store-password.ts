import { PASSWORD_LENGTH_RULE } from '@svc/contract/tables/password-rule.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { type PasswordChange, setPassword } from '@svc/postgres/people/passwords/passwords.ts';
import { lockFactors } from '@svc/postgres/people/second-factors/second-factors.ts';

/** Message if the last second factor was removed while a short password was hashed. */
export const FACTOR_GONE = `${PASSWORD_LENGTH_RULE} The second factor, which allows a shorter password, was removed in the meantime.`;

/** Stores a password and ends every session; false for a short one if there is no second factor any more. */
export const storePassword = async (tx: TenantTransaction, password: PasswordChange): Promise<boolean> => {
  if (password.isShort) await lockFactors(tx, password.userId);
  return setPassword(tx, password);
};
