import { isId } from '@svc/contract/tables/ids.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { ASSERTION_TYPE } from '@svc/contract/tables/wire-name.ts';
import { CONTEXT_NAME_CHARS_MAX, isContextName } from '../../risk/contexts/context-name.ts';
import { parseStrictTime } from '../agents/strict-time.ts';

/** Claims of an agent in one signed assertion, read from a compact JWS whose members are all strings. */
export type AssertionClaims = {
  readonly agent_id: string;
  /** Claimed generation of the signing key; null for the present one. */
  readonly generation: number | null;
  /** Compared as an exact string, never parsed as an address. */
  readonly audience: string;
  readonly issuedAtMs: number;
  readonly expiresAtMs: number;
  readonly nonce: string;
  /** Flow context of the session; null if none is named. */
  readonly context: string | null;
};

/** Why a text is not an assertion, by its form alone: a sentence for its author, which depends only on the form and repeats nothing. */
export type ShapeFault = { readonly fault: string };

export type StringMembers = ReadonlyMap<string, string>;

const NONCE_CHARS_MIN = Math.ceil(LIMITS.assertions.nonceBitsMin / 6);
const NONCE_CHARS_MAX = 128;

export const ASSERTION_MEMBERS = { header: ['alg', 'typ', 'kid'], payload: ['sub', 'aud', 'iat', 'exp', 'nonce', 'context'] } as const;
const OPTIONAL_MEMBERS: readonly string[] = ['context'];
export type AssertionPart = keyof typeof ASSERTION_MEMBERS;

const kidForm = /^([^#]+)#([1-9][0-9]{0,8})$/;
const base64url = /^[A-Za-z0-9_-]+$/;

const isNonce = (text: string): boolean =>
  base64url.test(text) && text.length >= NONCE_CHARS_MIN && text.length <= NONCE_CHARS_MAX && text.length % 4 !== 1;

export const CONTEXT_FAULT: ShapeFault = {
  fault: `context must be 1 to ${CONTEXT_NAME_CHARS_MAX} characters of A-Z, a-z, 0-9, dot, underscore, colon and hyphen.`,
};

export const findTimeFault = (name: string): ShapeFault => ({
  fault: `${name} must be a UTC time with milliseconds, such as 2026-01-31T10:00:00.000Z.`,
});

/** An unknown member is refused: to ignore one that was meant as a restriction would widen it. */
const membersFault = (part: AssertionPart, members: StringMembers): ShapeFault | null => {
  const names: readonly string[] = ASSERTION_MEMBERS[part];
  const missing = names.find((name) => !members.has(name) && !OPTIONAL_MEMBERS.includes(name));
  if (missing !== undefined) return { fault: `The ${part} has no ${missing}.` };
  return [...members.keys()].every((name) => names.includes(name))
    ? null
    : { fault: `The ${part} contains an unexpected member: only ${names.join(', ')} are allowed.` };
};

const headerFault = (header: StringMembers): ShapeFault | null => {
  const unnamed = membersFault('header', header);
  if (unnamed !== null) return unnamed;
  if (header.get('alg') !== 'EdDSA') return { fault: 'alg must be EdDSA.' };
  return header.get('typ') === ASSERTION_TYPE ? null : { fault: `typ must be ${ASSERTION_TYPE}.` };
};

/** The claims of an assertion, or what its shape shows to be wrong. */
export const readAssertionClaims = (header: StringMembers, payload: StringMembers): AssertionClaims | ShapeFault => {
  const unfit = headerFault(header) ?? membersFault('payload', payload);
  if (unfit !== null) return unfit;
  const [, agentId, generation] = kidForm.exec(header.get('kid') ?? '') ?? [];
  const issuedAtMs = parseStrictTime(payload.get('iat'));
  const expiresAtMs = parseStrictTime(payload.get('exp'));
  const nonce = payload.get('nonce') ?? '';
  if (agentId === undefined || !isId('agent', agentId))
    return { fault: 'kid must be the id of the agent, # and the generation of its key, such as agt_…#1.' };
  if (agentId !== payload.get('sub')) return { fault: 'sub must be the agent id in kid.' };
  if (issuedAtMs === null) return findTimeFault('iat');
  if (expiresAtMs === null) return findTimeFault('exp');
  if (!isNonce(nonce))
    return {
      fault: `nonce must be ${NONCE_CHARS_MIN} to ${NONCE_CHARS_MAX} characters of base64url without padding (at least 128 random bits).`,
    };
  const context = payload.get('context') ?? null;
  if (context !== null && !isContextName(context)) return CONTEXT_FAULT;
  return {
    agent_id: agentId,
    generation: Number(generation),
    audience: payload.get('aud') ?? '',
    issuedAtMs,
    expiresAtMs,
    nonce,
    context,
  };
};
