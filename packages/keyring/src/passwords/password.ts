import { randomBytes } from 'node:crypto';
import { type Algorithm, hash, verify } from '@node-rs/argon2';
import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type BoundedLane, type LaneBounds, newBoundedLane } from '../lanes/bounded-lane.ts';

/** Argon2id with 19 MiB, two passes, one lane: the OWASP recommendation. */
const ARGON2ID = { algorithm: 2 satisfies number as Algorithm, memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 } as const;

const { passwords } = LIMITS;

/** For unauthenticated users: they share a part of one core, so that no flood of sign-ins delays decisions. */
const UNPROVEN: LaneBounds = {
  parallelMax: passwords.unprovenParallelMax,
  waitingMax: passwords.unprovenWaitingMax,
  restsCount: passwords.unprovenRestsCount,
};

/** For users with a session who re-authenticate (step-up): they do not queue behind unauthenticated clients. */
const PROVEN: LaneBounds = { parallelMax: passwords.provenParallelMax, waitingMax: passwords.provenWaitingMax };

/** The class of the caller, which selects the queue. */
export type PasswordCaller = 'stranger' | 'signed in';

/** The PHC string to store, or null for a password that is refused because it is guessable. */
export type HashedPassword = { readonly phc: string | null };

/** Returns true for a password that is easy to guess. */
export type GuessJudge = (password: string) => Promise<boolean>;

export type Passwords = {
  /** Hashes a new password. It is judged in its time slice, so that the work for unauthenticated clients is bounded too. */
  readonly hash: (password: string, isGuessable: GuessJudge, of?: PasswordCaller) => Promise<HashedPassword | Refusal<'RATE_LIMITED'>>;
  /** Returns true if the password matches the stored hash. For null (unknown user) it takes the same time and returns false. */
  readonly verify: (stored: string | null, password: string, of?: PasswordCaller) => Promise<boolean | Refusal<'RATE_LIMITED'>>;
};

/** Returns a well-formed hash with a random digest, so that no password is known to match it. */
const newDecoy = (): string => {
  const phc = (bytes: Buffer): string => bytes.toString('base64').replace(/(?<!=)=+$/, '');
  return `$argon2id$v=19$m=${ARGON2ID.memoryCost},t=${ARGON2ID.timeCost},p=1$${phc(randomBytes(16))}$${phc(randomBytes(ARGON2ID.outputLen))}`;
};

/**
 * Normalizes a password (NIST SP 800-63B, Unicode NFKC), so that different keyboards yield the same one: this form is judged and hashed.
 */
export const normalized = (password: string): string => password.normalize('NFKC');

/**
 * Hashes and verifies passwords off the main thread, a few at a time, since each takes 19 MiB and a core.
 * Beyond the bounds the answer is RATE_LIMITED at once, so that a flood of logins cannot exhaust the machine or wait forever.
 */
export const newPasswords = (unproven: LaneBounds = UNPROVEN, proven: LaneBounds = PROVEN): Passwords => {
  const lanes: Readonly<Record<PasswordCaller, BoundedLane>> = { stranger: newBoundedLane(unproven), 'signed in': newBoundedLane(proven) };
  const decoy = newDecoy();
  const busy = async (): Promise<Refusal<'RATE_LIMITED'>> =>
    buildRefusal('RATE_LIMITED', 'Too many passwords are being checked at once.', { retry_after_seconds: 2 });
  return {
    hash: (password, isGuessable, of = 'stranger') =>
      lanes[of](async () => {
        const given = normalized(password);
        return { phc: (await isGuessable(given)) ? null : await hash(given, ARGON2ID) };
      }) ?? busy(),
    verify: (stored, password, of = 'stranger') =>
      lanes[of](async () => {
        const matches = await verify(stored ?? decoy, normalized(password));
        return stored !== null && matches;
      }) ?? busy(),
  };
};
