import { isId } from '@svc/contract/tables/ids.ts';
import { isContextName } from '../../risk/contexts/context-name.ts';
import { type AssertionClaims, CONTEXT_FAULT, type ShapeFault } from './assertion-claims.ts';

export type JsonMembers = Readonly<Record<string, unknown>>;

const KID = /^(agt_[0-9A-Z]{26})#([1-9][0-9]{0,8})$/;
const JTI = /^[!-~]{8,256}$/;
const TYPES: readonly unknown[] = [undefined, 'JWT', 'jwt', 'client-authentication+jwt'];

const fault = (text: string): ShapeFault => ({ fault: text });

const headerFault = ({ alg, typ, crit, b64 }: JsonMembers): ShapeFault | null => {
  // RFC 9864 gives the algorithm of these keys a second name, which newer libraries send.
  if (alg !== 'EdDSA' && alg !== 'Ed25519') return fault('alg must be EdDSA or Ed25519: the keys of agents are Ed25519 keys.');
  if (!TYPES.includes(typ)) return fault('typ must be JWT or client-authentication+jwt, or be left out.');
  return crit === undefined && b64 === undefined ? null : fault('crit and b64 are not supported.');
};

/** Returns milliseconds; null unless it is a number of seconds since the epoch. */
const readSeconds = (value: unknown): number | null =>
  typeof value === 'number' && value > 0 && value < 1e11 ? Math.floor(value * 1000) : null;

/** RFC 7519 allows a list; one with several audiences is not only for this gateway. */
const readAudience = (aud: unknown): unknown => (Array.isArray(aud) && aud.length === 1 ? aud[0] : aud);

/**
 * Reads the members of a client assertion (RFC 7523, section 3), whose times are numbers. `kid` names a key as `agt_…#1`; any other means
 * the present
 * key. `context` names a flow context, as in other assertions. Unknown members are ignored, as RFC 7519 requires. The prefix keeps `jti`
 * apart from nonces of other assertions.
 */
export const readClientAssertionClaims = (header: JsonMembers, payload: JsonMembers): AssertionClaims | ShapeFault => {
  const unfit = headerFault(header);
  if (unfit !== null) return unfit;
  const { iss, sub, jti, context = null } = payload;
  if (typeof sub !== 'string' || !isId('agent', sub)) return fault('sub must be the agent id (agt_).');
  if (iss !== sub) return fault('iss must be the same agent id as sub.');
  const [, keyOf, generation] = (typeof header.kid === 'string' ? KID.exec(header.kid) : null) ?? [];
  if (keyOf !== undefined && keyOf !== sub) return fault('kid must name a key of the agent in sub.');
  const audience = readAudience(payload.aud);
  if (typeof audience !== 'string') return fault('aud must be the issuer of this gateway, as its metadata states it.');
  const [issuedAtMs, expiresAtMs] = [readSeconds(payload.iat), readSeconds(payload.exp)];
  if (issuedAtMs === null) return fault('iat must be a number of seconds since 1970.');
  if (expiresAtMs === null) return fault('exp must be a number of seconds since 1970.');
  const notBeforeMs = payload.nbf === undefined ? issuedAtMs : readSeconds(payload.nbf);
  if (notBeforeMs === null || notBeforeMs > issuedAtMs) return fault('nbf must be a number of seconds since 1970 and not later than iat.');
  if (typeof jti !== 'string' || !JTI.test(jti)) return fault('jti must be 8 to 256 printable characters that were not used before.');
  if (context !== null && !(typeof context === 'string' && isContextName(context))) return CONTEXT_FAULT;
  return {
    agent_id: sub,
    generation: generation === undefined ? null : Number(generation),
    audience,
    issuedAtMs,
    expiresAtMs,
    nonce: `jti ${jti}`,
    context,
  };
};
