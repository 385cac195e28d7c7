import type { PasskeyAssertion } from '@svc/contract/people/proofs.ts';
import type { Proof } from '@svc/contract/tables/proofs.ts';
import type { FactorKeys } from '@svc/keyring/factors/factor-keys.ts';
import type { Ceremony } from '@svc/keyring/factors/passkey-challenge.ts';
import { type Assertion, readAssertion } from '@svc/keyring/factors/passkeys.ts';
import { recoveryCodeHash } from '@svc/keyring/factors/recovery-codes.ts';
import type { RelyingParty } from '@svc/keyring/factors/relying-party.ts';
import { findTotpStep } from '@svc/keyring/factors/totp.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { findRecoveryCode } from '@svc/postgres/people/second-factors/recovery-codes.ts';
import { readPasskeys, readTotps } from '@svc/postgres/people/second-factors/second-factors.ts';
import { takeAssertion, takeRecoveryCode, takeStep } from '@svc/postgres/people/second-factors/take-factor.ts';

/** Dependencies of checking second factors. */
export type FactorChecks = {
  readonly identity: Database;
  readonly keys: FactorKeys;
  /** Undefined if passkeys cannot be bound to the plane's address. */
  readonly party: RelyingParty | undefined;
};

/** One proof as it was sent. */
export type SentFactor =
  | { readonly kind: 'TOTP'; readonly code: string }
  | { readonly kind: 'RECOVERY_CODE'; readonly code: string }
  | { readonly kind: 'PASSKEY'; readonly assertion: PasskeyAssertion; readonly ceremony: Ceremony };

/** A right proof that is not used up yet: of concurrent calls, `take` is true for one. */
export type FoundFactor = {
  readonly proof: Extract<Proof, 'TOTP' | 'PASSKEY' | 'RECOVERY_CODE'>;
  /** True if it counts in the organization only, because its provider vouched for the session that enrolled it. */
  readonly isVouched: boolean;
  readonly take: (tx: TenantTransaction) => Promise<boolean>;
};

/** A person in the organization in which they prove themselves. */
export type FactorCheck = {
  readonly userId: string;
  readonly organizationId: string;
  /** TOTP secrets that accept no code in this request. */
  readonly closed?: ReadonlySet<string>;
};

const findStep = async (
  { identity, keys }: FactorChecks,
  { closed, ...whose }: FactorCheck,
  code: string,
  now: Date,
): Promise<FoundFactor | undefined> => {
  const { userId } = whose;
  for (const { id, sealed_secret, last_step, vouched_by } of await readTotps(identity, whose)) {
    if (closed?.has(id)) continue;
    const step = findTotpStep(keys.sealing, { user_id: userId, id }, sealed_secret, code, now);
    if (step !== undefined && (last_step === null || step > last_step))
      return { proof: 'TOTP', isVouched: vouched_by !== null, take: (tx) => takeStep(tx, userId, id, step, now) };
  }
  return undefined;
};

const findRecovery = async ({ identity, keys }: FactorChecks, whose: FactorCheck, code: string, now: Date) => {
  const hash = recoveryCodeHash(keys.recoveryCodes, whose.userId, code);
  const found = hash && (await findRecoveryCode(identity, whose, hash));
  if (hash === undefined || found === undefined) return undefined;
  const take: FoundFactor['take'] = (tx) => takeRecoveryCode(tx, whose.userId, hash, now);
  return { proof: 'RECOVERY_CODE', isVouched: found.vouched_by !== null, take } as const satisfies FoundFactor;
};

const takeSigned =
  (userId: string, id: string, assertion: Assertion, now: Date): FoundFactor['take'] =>
  (tx) =>
    takeAssertion(tx, userId, id, assertion, now);

const findPasskeyOf = async (
  { identity, keys, party }: FactorChecks,
  whose: FactorCheck,
  { assertion: given, ceremony }: Extract<SentFactor, { kind: 'PASSKEY' }>,
  now: Date,
): Promise<FoundFactor | undefined> => {
  const stored = (await readPasskeys(identity, whose)).find(({ credential_id }) => credential_id.toString('base64url') === given.id);
  if (!stored || !party) return undefined;
  const assertion = await readAssertion({ key: keys.passkeyChallenges, party, ceremony, now }, stored, given);
  const take = assertion && takeSigned(whose.userId, stored.id, assertion, now);
  return take && { proof: 'PASSKEY', isVouched: stored.vouched_by !== null, take };
};

/** Finds the factor of a person that a proof is right for and that counts in the organization; undefined if it is wrong or was used. */
export const findFactor = async (
  checks: FactorChecks,
  whose: FactorCheck,
  sent: SentFactor,
  now: Date,
): Promise<FoundFactor | undefined> => {
  if (sent.kind === 'PASSKEY') return findPasskeyOf(checks, whose, sent, now);
  return sent.kind === 'TOTP' ? findStep(checks, whose, sent.code, now) : findRecovery(checks, whose, sent.code, now);
};
