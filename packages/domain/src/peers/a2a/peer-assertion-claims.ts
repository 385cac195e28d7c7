import { isId } from '@svc/contract/tables/ids.ts';
import type { JsonMembers } from '../../agents/identity/client-assertion-claims.ts';

/** The claims of a client assertion of the remote agent of a connection. Its signature is verified elsewhere. */
export type PeerAssertionClaims = {
  readonly connection_id: string;
  readonly alg: 'EdDSA' | 'ES256';
  /** The registered key; undefined if the header names none. */
  readonly kid: string | undefined;
  readonly audience: string;
  readonly issuedAtMs: number;
  readonly expiresAtMs: number;
  readonly jti: string;
};

export type PeerAssertionFault = { readonly fault: string };

const JTI = /^[!-~]{8,256}$/;
const TYPES: readonly unknown[] = [undefined, 'JWT', 'jwt', 'client-authentication+jwt'];
const KID_CHARS_MAX = 200;
/** Members that lead to another key than a registered one, or change what is signed. */
const REFUSED_MEMBERS = ['crit', 'b64', 'jku', 'jwk', 'x5u', 'x5c'];

const readSeconds = (value: unknown): number | null =>
  typeof value === 'number' && value > 0 && value < 1e11 ? Math.floor(value * 1000) : null;

const readHeader = (header: JsonMembers): Pick<PeerAssertionClaims, 'alg' | 'kid'> | PeerAssertionFault => {
  const { alg, typ, kid } = header;
  if (alg !== 'EdDSA' && alg !== 'ES256') return { fault: 'alg must be EdDSA or ES256, as the registered key requires.' };
  if (!TYPES.includes(typ)) return { fault: 'typ must be JWT or client-authentication+jwt, or be left out.' };
  if (REFUSED_MEMBERS.some((name) => name in header)) return { fault: `The header must not contain ${REFUSED_MEMBERS.join(', ')}.` };
  if (kid === undefined) return { alg, kid };
  return typeof kid === 'string' && kid.length <= KID_CHARS_MAX ? { alg, kid } : { fault: 'kid must be the kid of a registered key.' };
};

/** Reads the members of a client assertion (RFC 7523, section 3) of a remote agent. Unknown members are ignored. */
export const readPeerAssertionClaims = (header: JsonMembers, payload: JsonMembers): PeerAssertionClaims | PeerAssertionFault => {
  const read = readHeader(header);
  if ('fault' in read) return read;
  const { iss, sub, jti, aud } = payload;
  if (typeof sub !== 'string' || !isId('a2a_connection', sub)) return { fault: 'sub must be the id of the connection (a2a_).' };
  if (iss !== sub) return { fault: 'iss must be the same id as sub.' };
  const audience: unknown = Array.isArray(aud) && aud.length === 1 ? aud[0] : aud;
  if (typeof audience !== 'string') return { fault: 'aud must be the issuer of this gateway, as its metadata states it.' };
  const [issuedAtMs, expiresAtMs] = [readSeconds(payload.iat), readSeconds(payload.exp)];
  if (issuedAtMs === null) return { fault: 'iat must be a number of seconds since 1970.' };
  if (expiresAtMs === null) return { fault: 'exp must be a number of seconds since 1970.' };
  const notBeforeMs = payload.nbf === undefined ? issuedAtMs : readSeconds(payload.nbf);
  if (notBeforeMs === null || notBeforeMs > issuedAtMs)
    return { fault: 'nbf must be a number of seconds since 1970 and not later than iat.' };
  if (typeof jti !== 'string' || !JTI.test(jti)) return { fault: 'jti must be 8 to 256 printable characters that were not used before.' };
  return { connection_id: sub, ...read, audience, issuedAtMs, expiresAtMs, jti };
};
