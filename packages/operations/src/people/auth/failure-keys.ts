import { addressGroup } from '@svc/domain/people/auth/address-group.ts';
import { hashSecret } from '@svc/keyring/tokens/secret-token.ts';
import type { FailureKeys } from '@svc/postgres/people/auth/sign-in-failures.ts';

/** What failures are counted under. Digests, since people type passwords where the e-mail belongs. */
export const failureKeys = (email: string, sourceIp: string): FailureKeys => {
  const digest = (...parts: readonly string[]): string => hashSecret(parts.join('\n')).toString('hex');
  const group = addressGroup(sourceIp);
  return {
    account: `account:${digest(email)}`,
    address: `address:${group}`,
    accountAtAddress: `account_at_address:${digest(email, group)}`,
  };
};

/** Whole seconds until a lockout ends, for Retry-After. */
export const secondsUntil = (time: string, now: Date): number => Math.max(1, Math.ceil((Date.parse(time) - now.getTime()) / 1000));
