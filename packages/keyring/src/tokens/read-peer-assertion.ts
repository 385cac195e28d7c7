import { type PeerAssertionClaims, type PeerAssertionFault, readPeerAssertionClaims } from '@svc/domain/peers/a2a/peer-assertion-claims.ts';
import { type CardJwk, type CardKey, readCardKey, verifyText } from './card-signature.ts';
import { type CompactJws, splitCompactJws } from './compact-jws.ts';
import { readJsonObject } from './read-client-assertion.ts';

const ASSERTION_CHARS_MAX = 4_096;

export type PeerAssertion = { readonly claims: PeerAssertionClaims; readonly jws: CompactJws };

/** Parses a client assertion of a remote agent. Its signature is not verified yet; returns a sentence if it is invalid. */
export const readPeerAssertion = (text: unknown): PeerAssertion | PeerAssertionFault => {
  const jws = splitCompactJws(text, ASSERTION_CHARS_MAX);
  if (jws === null) return { fault: 'client_assertion must be a compact JWS: three parts of base64url, joined by dots.' };
  const [header, payload] = [readJsonObject(jws.header), readJsonObject(jws.payload)];
  if (header === undefined || payload === undefined)
    return { fault: 'The header and the payload of client_assertion must be JSON objects.' };
  const claims = readPeerAssertionClaims(header, payload);
  return 'fault' in claims ? claims : { claims, jws };
};

/** Returns the key that an assertion names: the registered one of its kid, or the only one if it names none. */
const namedKey = ({ kid, alg }: PeerAssertionClaims, jwks: readonly CardJwk[]): CardKey | undefined => {
  const keys = jwks.map(readCardKey).flatMap((read) => (read.ok ? [read.key] : []));
  const key = kid === undefined && keys.length === 1 ? keys[0] : keys.find((each) => each.kid === kid);
  // The algorithm is the key's, never the header's.
  return key?.alg === alg ? key : undefined;
};

/** Returns true if a registered key signed the assertion. */
export const isSignedByPeer = ({ claims, jws }: PeerAssertion, jwks: readonly CardJwk[]): boolean => {
  const key = namedKey(claims, jwks);
  return key !== undefined && verifyText(key, jws.signed, jws.signature);
};
