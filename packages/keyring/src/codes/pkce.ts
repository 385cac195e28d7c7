import { hash } from 'node:crypto';
import { constantTimeEqual } from '../bytes/constant-time-equal.ts';

/** The challenge of a verifier, by S256. */
export const pkceChallengeOf = (verifier: string): string => hash('sha256', verifier, 'base64url');

/** Whether a verifier is the one that a challenge was made of, by S256 (RFC 7636, section 4.6). */
export const isVerifierOf = (verifier: string, challenge: string): boolean =>
  constantTimeEqual(Buffer.from(pkceChallengeOf(verifier)), Buffer.from(challenge));
