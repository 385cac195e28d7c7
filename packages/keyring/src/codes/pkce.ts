import { hash } from 'node:crypto';
import { constantTimeEqual } from '../bytes/constant-time-equal.ts';

/** Whether a verifier is the one that a challenge was made of, by S256 (RFC 7636, section 4.6). */
export const isVerifierOf = (verifier: string, challenge: string): boolean =>
  constantTimeEqual(Buffer.from(hash('sha256', verifier, 'base64url')), Buffer.from(challenge));
