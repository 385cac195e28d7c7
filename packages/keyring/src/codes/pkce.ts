import { hash } from 'node:crypto';
import { constantTimeEqual } from '../bytes/constant-time-equal.ts';

/** Returns the S256 challenge of a PKCE verifier. */
export const computePkceChallenge = (verifier: string): string => hash('sha256', verifier, 'base64url');

/** Returns true if a verifier matches an S256 challenge (RFC 7636, section 4.6). */
export const matchesChallenge = (verifier: string, challenge: string): boolean =>
  constantTimeEqual(Buffer.from(computePkceChallenge(verifier)), Buffer.from(challenge));
