import type { PasskeyAssertion } from '@svc/contract/people/proofs.ts';
import type { Proof } from '@svc/contract/tables/proofs.ts';
import type { FactorKeys } from '@svc/keyring/factors/factor-keys.ts';
import type { Ceremony } from '@svc/keyring/factors/passkey-challenge.ts';
import { type Assertion, readAssertion } from '@svc/keyring/factors/passkeys.ts';
import { recoveryCodeHash } from '@svc/keyring/factors/recovery-codes.ts';
import type { RelyingParty } from '@svc/keyring/factors/relying-party.ts';
import { totpStepOf } from '@svc/keyring/factors/totp.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { isUnusedRecoveryCode } from '@svc/postgres/people/second-factors/recovery-codes.ts';
import { readPasskeys, readTotps } from '@svc/postgres/people/second-factors/second-factors.ts';
import { takeAssertion, takeRecoveryCode, takeStep } from '@svc/postgres/people/second-factors/take-factor.ts';

/** What second factors are checked with. */
export type FactorChecks = {
  readonly identity: Database;
  readonly keys: FactorKeys;
  /** Undefined where the address of the plane is none that passkeys can be bound to. */
  readonly party: RelyingParty | undefined;
};

/** One proof as it was sent. */
export type SentFactor =
  | { readonly kind: 'TOTP'; readonly code: string }
  | { readonly kind: 'RECOVERY_CODE'; readonly code: string }
  | { readonly kind: 'PASSKEY'; readonly assertion: PasskeyAssertion; readonly ceremony: Ceremony };

/** A proof that is right, and not yet taken: of many at once, `take` is true for one. */
export type FoundFactor = {
  readonly proof: Extract<Proof, 'TOTP' | 'PASSKEY' | 'RECOVERY_CODE'>;
  readonly take: (tx: TenantTransaction) => Promise<boolean>;
};

const findStep = async ({ identity, keys }: FactorChecks, userId: string, code: string, now: Date): Promise<FoundFactor | undefined> => {
  for (const { id, sealed_secret, last_step } of await readTotps(identity, userId)) {
    const step = totpStepOf(keys.sealing, { user_id: userId, id }, sealed_secret, code, now);
    if (step !== undefined && (last_step === null || step > last_step))
      return { proof: 'TOTP', take: (tx) => takeStep(tx, userId, id, step, now) };
  }
  return undefined;
};

const findRecoveryCode = async ({ identity, keys }: FactorChecks, userId: string, code: string, now: Date) => {
  const hash = recoveryCodeHash(keys.recoveryCodes, userId, code);
  if (hash === undefined || !(await isUnusedRecoveryCode(identity, userId, hash))) return undefined;
  return { proof: 'RECOVERY_CODE', take: (tx) => takeRecoveryCode(tx, userId, hash, now) } as const satisfies FoundFactor;
};

const takeSigned =
  (userId: string, id: string, assertion: Assertion, now: Date): FoundFactor['take'] =>
  (tx) =>
    takeAssertion(tx, userId, id, assertion, now);

const findPasskeyOf = async (
  { identity, keys, party }: FactorChecks,
  userId: string,
  { assertion: given, ceremony }: Extract<SentFactor, { kind: 'PASSKEY' }>,
  now: Date,
): Promise<FoundFactor | undefined> => {
  const stored = (await readPasskeys(identity, userId)).find(({ credential_id }) => credential_id.toString('base64url') === given.id);
  if (!stored || !party) return undefined;
  const assertion = await readAssertion({ key: keys.passkeyChallenges, party, ceremony, now }, stored, given);
  return assertion && { proof: 'PASSKEY', take: takeSigned(userId, stored.id, assertion, now) };
};

/** The factor of a person that a proof is right for; undefined where it is wrong, was used, or is somebody else's. */
export const findFactor = async (checks: FactorChecks, userId: string, sent: SentFactor, now: Date): Promise<FoundFactor | undefined> => {
  if (sent.kind === 'PASSKEY') return findPasskeyOf(checks, userId, sent, now);
  return sent.kind === 'TOTP' ? findStep(checks, userId, sent.code, now) : findRecoveryCode(checks, userId, sent.code, now);
};
