import { randomBytes } from 'node:crypto';
import { type Algorithm, hash, verify } from '@node-rs/argon2';
import { type Refusal, refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type BoundedLane, type LaneBounds, newBoundedLane } from '../lanes/bounded-lane.ts';

/** Argon2id with 19 MiB, two passes, one lane: the OWASP recommendation. */
const ARGON2ID = { algorithm: 2 satisfies number as Algorithm, memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 } as const;

const { passwords } = LIMITS;

/** Of people who have shown nothing yet: they share a part of one core, so that no flood of sign-ins takes what decisions need. */
const UNPROVEN: LaneBounds = {
  parallelMax: passwords.unprovenParallelMax,
  waitingMax: passwords.unprovenWaitingMax,
  restsCount: passwords.unprovenRestsCount,
};

/** Of people with a session, who prove anew who they are: they wait for no stranger. */
const PROVEN: LaneBounds = { parallelMax: passwords.provenParallelMax, waitingMax: passwords.provenWaitingMax };

/** Whose password it is, which decides whom it waits for. */
export type PasswordOf = 'stranger' | 'signed in';

/** The PHC text to store, or null for a password that is refused because it is guessable. */
export type NewPassword = { readonly phc: string | null };

/** Whether a password is one that a guesser would soon try. */
export type GuessJudge = (password: string) => Promise<boolean>;

export type Passwords = {
  /** Hashes a new password. It is judged when its turn has come, so that what strangers spend by it is bounded too. */
  readonly hash: (password: string, isGuessable: GuessJudge, of?: PasswordOf) => Promise<NewPassword | Refusal<'RATE_LIMITED'>>;
  /** Whether the password made the stored text. With null (no such person) it takes the same time and answers false. */
  readonly verify: (stored: string | null, password: string, of?: PasswordOf) => Promise<boolean | Refusal<'RATE_LIMITED'>>;
};

/** A well-formed hash of nothing: its digest is random, so no password is known to make it. */
const newDecoy = (): string => {
  const phc = (bytes: Buffer): string => bytes.toString('base64').replace(/(?<!=)=+$/, '');
  return `$argon2id$v=19$m=${ARGON2ID.memoryCost},t=${ARGON2ID.timeCost},p=1$${phc(randomBytes(16))}$${phc(randomBytes(ARGON2ID.outputLen))}`;
};

/** The same password typed on two keyboards is one password (NIST SP 800-63B, Unicode normalization): it is judged and hashed like this. */
export const normalized = (password: string): string => password.normalize('NFKC');

/**
 * Hashes and verifies passwords off the main thread, a few at a time, since each takes 19 MiB and a core.
 * Beyond the bounds the answer is RATE_LIMITED at once, so that a flood of logins neither eats the machine nor waits for ever.
 */
export const newPasswords = (unproven: LaneBounds = UNPROVEN, proven: LaneBounds = PROVEN): Passwords => {
  const lanes: Readonly<Record<PasswordOf, BoundedLane>> = { stranger: newBoundedLane(unproven), 'signed in': newBoundedLane(proven) };
  const decoy = newDecoy();
  const busy = async (): Promise<Refusal<'RATE_LIMITED'>> =>
    refusal('RATE_LIMITED', 'Too many passwords are being checked at once.', { retry_after_seconds: 2 });
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
