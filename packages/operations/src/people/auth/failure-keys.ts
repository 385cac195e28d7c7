import { addressGroup } from '@svc/domain/people/auth/address-group.ts';
import { hashSecret } from '@svc/keyring/tokens/secret-token.ts';
import type { FailureKeys } from '@svc/postgres/people/auth/sign-in-failures.ts';

const digest = (...parts: readonly string[]): string => hashSecret(parts.join('\n')).toString('hex');

/** What failures are counted under. Digests, since people type passwords where the e-mail belongs. */
export const failureKeys = (email: string, sourceIp: string): FailureKeys => {
  const group = addressGroup(sourceIp);
  return {
    account: `account:${digest(email)}`,
    address: `address:${group}`,
    accountAtAddress: `account_at_address:${digest(email, group)}`,
  };
};

/**
 * What wrong codes of a person's second factors from one network are counted under, at sign-in and at step-up alike. Only whoever has the
 * password or a session gets as far; and what they fail elsewhere keeps nobody who is signed in here from a step-up.
 */
export const secondFactorKey = (email: string, sourceIp: string): string => `second_factor:${digest(email, addressGroup(sourceIp))}`;

/** Whole seconds until a lockout ends, for Retry-After. */
export const secondsUntil = (time: string, now: Date): number => Math.max(1, Math.ceil((Date.parse(time) - now.getTime()) / 1000));
