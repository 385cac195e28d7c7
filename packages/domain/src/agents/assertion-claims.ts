import { isId } from '@svc/contract/ids.ts';
import { LIMITS } from '@svc/contract/limits.ts';
import { ASSERTION_TYPE } from '@svc/contract/wire-name.ts';
import { parseStrictTime } from './strict-time.ts';

/** What an agent says of itself in one signed assertion, read from a compact JWS whose members are all strings. */
export type AssertionClaims = {
  readonly agent_id: string;
  /** The generation of the key that the agent says it signed with. */
  readonly generation: number;
  /** Compared as an exact string, never parsed as an address. */
  readonly audience: string;
  readonly issuedAtMs: number;
  readonly expiresAtMs: number;
  readonly nonce: string;
};

export type StringMembers = ReadonlyMap<string, string>;

const NONCE_CHARS_MIN = Math.ceil(LIMITS.assertions.nonceBitsMin / 6);
const NONCE_CHARS_MAX = 128;

const kidForm = /^([^#]+)#([1-9][0-9]{0,8})$/;
const base64url = /^[A-Za-z0-9_-]+$/;

const hasExactly = (members: StringMembers, names: readonly string[]): boolean =>
  members.size === names.length && names.every((name) => members.has(name));

const isNonce = (text: string): boolean =>
  base64url.test(text) && text.length >= NONCE_CHARS_MIN && text.length <= NONCE_CHARS_MAX && text.length % 4 !== 1;

/**
 * The claims of an assertion, or null when its shape is not exactly the accepted one.
 * A member that is not known is refused: ignoring what the signer meant as a restriction would widen it.
 */
export const readAssertionClaims = (header: StringMembers, payload: StringMembers): AssertionClaims | null => {
  if (!hasExactly(header, ['alg', 'typ', 'kid']) || !hasExactly(payload, ['sub', 'aud', 'iat', 'exp', 'nonce'])) return null;
  if (header.get('alg') !== 'EdDSA' || header.get('typ') !== ASSERTION_TYPE) return null;
  const [, agentId, generation] = kidForm.exec(header.get('kid') ?? '') ?? [];
  const issuedAtMs = parseStrictTime(payload.get('iat'));
  const expiresAtMs = parseStrictTime(payload.get('exp'));
  const nonce = payload.get('nonce') ?? '';
  if (agentId === undefined || !isId('agent', agentId) || agentId !== payload.get('sub')) return null;
  if (issuedAtMs === null || expiresAtMs === null || !isNonce(nonce)) return null;
  return { agent_id: agentId, generation: Number(generation), audience: payload.get('aud') ?? '', issuedAtMs, expiresAtMs, nonce };
};
