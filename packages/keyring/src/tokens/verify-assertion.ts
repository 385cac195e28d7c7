import { createPublicKey } from 'node:crypto';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type FairLaneBounds, newFairLane } from '@svc/fairness/semaphore/fair-lane.ts';
import { readBase64 } from '../bytes/canonical-base64.ts';
import { generateSigningKey } from '../public-keys/generate-key-pair.ts';
import { type CompactJws, encodeHeader, signCompactJws, splitCompactJws, verifyCompactJwsAside } from './compact-jws.ts';
import type { ParsedAssertion } from './read-assertion.ts';

/** A key without an owner, and a JWS by it: verified if there is nothing to verify, so that the time is equal. */
const decoy = (() => {
  const { privateKey, publicKey } = generateSigningKey();
  const jws = splitCompactJws(signCompactJws(encodeHeader('decoy', 'decoy'), { decoy: 'x'.repeat(200) }, privateKey), 4096);
  if (jws === null) throw new Error('The decoy signature could not be read back.');
  return { jws, spki: publicKey.export({ format: 'der', type: 'spki' }) };
})();

const verifyUnder = (spki: Buffer, jws: CompactJws): Promise<boolean> =>
  verifyCompactJwsAside(jws, createPublicKey({ key: spki, format: 'der', type: 'spki' }));

/**
 * Verifies an assertion with a stored public key (base64 SPKI, judged when it was registered).
 * An unreadable assertion or a missing key also costs one key import and one verification, and returns false,
 * so that time does not reveal if an agent is unknown or a key is wrong. A stored key that is unreadable is a failure and throws.
 */
export const verifyAssertion = async (assertion: ParsedAssertion | null, publicKey: string | null): Promise<boolean> => {
  if (assertion === null || publicKey === null) {
    await verifyUnder(decoy.spki, assertion?.jws ?? decoy.jws);
    return false;
  }
  const spki = readBase64(publicKey);
  if (spki === null) throw new Error('A stored public key is not canonical base64.');
  return verifyUnder(spki, assertion.jws);
};

/** Verifies like `verifyAssertion`, in the time slice of the client address; null if too many wait. */
export type AssertionVerifier = (asker: string, assertion: ParsedAssertion | null, publicKey: string | null) => Promise<boolean | null>;

/**
 * Verifies off the main thread, a few at a time: the sender of an assertion is unauthenticated, so time slices are shared by client
 * address.
 */
export const newAssertionVerifier = (bounds: FairLaneBounds = LIMITS.assertionChecks): AssertionVerifier => {
  const enter = newFairLane(bounds);
  return (asker, assertion, publicKey) => enter(asker, () => verifyAssertion(assertion, publicKey));
};
