import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { WIRE_NAME } from '@svc/contract/tables/wire-name.ts';
import type { PlatformKeys } from '../sealed/platform-key.ts';
import { TOKEN_CHARS_MAX, type TokenScope } from './agent-token.ts';
import { encodeHeader, signCompactJws, splitCompactJws, verifyCompactJws } from './compact-jws.ts';

/** Claims of a token of a remote agent. They identify the connection; its permissions are decided for each message. */
export type PeerTokenClaims = {
  readonly connection_id: string;
  readonly organization_id: string;
  readonly environment_id: string;
  /** The agent that it may send messages to. */
  readonly agent_id: string;
  /** Increases when the registered keys change, which ends older tokens. */
  readonly key_series: number;
  readonly expiresAtMs: number;
};

const TOKEN_TYPE = `${WIRE_NAME}-peer+jwt`;

type Issued = { readonly issuedAtMs: number; readonly lifetimeSeconds: number; readonly id: string };

/** Signs a JWT (RFC 7519) for the remote agent of a connection. It is valid for the endpoint of one agent. */
export const signPeerToken = (
  keys: PlatformKeys,
  { issuer, audience }: TokenScope,
  subject: Omit<PeerTokenClaims, 'expiresAtMs'>,
  { issuedAtMs, lifetimeSeconds, id }: Issued,
): string => {
  const iat = Math.floor(issuedAtMs / 1000);
  const { connection_id, organization_id, environment_id, agent_id, key_series } = subject;
  const times = { iat, exp: iat + lifetimeSeconds };
  const claims = { iss: issuer, aud: audience, sub: connection_id, jti: id, ...times, org: organization_id, env: environment_id };
  return signCompactJws(encodeHeader(TOKEN_TYPE, keys.signing.kid), { ...claims, agt: agent_id, ser: key_series }, keys.signing.privateKey);
};

/** Returns the claims of a token that was signed here for this gateway and has not expired. */
export const verifyPeerToken = (
  keys: PlatformKeys,
  { issuer, audience }: TokenScope,
  token: string,
  nowMs: number,
): PeerTokenClaims | Refusal<'UNAUTHENTICATED' | 'AGENT_TOKEN_EXPIRED'> => {
  const jws = splitCompactJws(token, TOKEN_CHARS_MAX);
  if (jws === null) return buildRefusal('UNAUTHENTICATED');
  const key = [...keys.accepted].find(([kid]) => jws.encodedHeader === encodeHeader(TOKEN_TYPE, kid));
  if (key === undefined || !verifyCompactJws(jws, key[1])) return buildRefusal('UNAUTHENTICATED');
  // Signed by our own key under our own type: the members are those that signPeerToken writes.
  const claims = JSON.parse(jws.payload.toString('utf8'));
  if (claims.iss !== issuer || claims.aud !== audience) return buildRefusal('UNAUTHENTICATED');
  const expiresAtMs = claims.exp * 1000;
  if (!(expiresAtMs > nowMs)) return buildRefusal('AGENT_TOKEN_EXPIRED');
  const { sub: connection_id, org: organization_id, env: environment_id, agt: agent_id, ser: key_series } = claims;
  return { connection_id, organization_id, environment_id, agent_id, key_series, expiresAtMs };
};
