import { isUtf8 } from 'node:buffer';
import type { ShapeFault } from '@svc/domain/agents/identity/assertion-claims.ts';
import { type JsonMembers, readClientAssertionClaims } from '@svc/domain/agents/identity/client-assertion-claims.ts';
import { splitCompactJws } from './compact-jws.ts';
import type { ParsedAssertion } from './read-assertion.ts';

const ASSERTION_CHARS_MAX = 4096;

/** Parses a JSON object from UTF-8 bytes; undefined if they are none. */
export const readJsonObject = (bytes: Buffer): JsonMembers | undefined => {
  if (!isUtf8(bytes)) return undefined;
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonMembers) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};

/** Parses a client assertion of RFC 7523. Its signature is not verified yet; returns a sentence if it is invalid. */
export const readClientAssertion = (text: unknown): ParsedAssertion | ShapeFault => {
  const jws = splitCompactJws(text, ASSERTION_CHARS_MAX);
  if (jws === null)
    return { fault: 'client_assertion must be a compact JWS with an Ed25519 signature: three parts of base64url, joined by dots.' };
  const [header, payload] = [readJsonObject(jws.header), readJsonObject(jws.payload)];
  if (header === undefined || payload === undefined)
    return { fault: 'The header and the payload of client_assertion must be JSON objects.' };
  const claims = readClientAssertionClaims(header, payload);
  return 'fault' in claims ? claims : { claims, jws };
};
