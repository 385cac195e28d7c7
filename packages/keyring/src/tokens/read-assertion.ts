import {
  ASSERTION_MEMBERS,
  type AssertionClaims,
  type AssertionPart,
  findTimeFault,
  readAssertionClaims,
  type ShapeFault,
} from '@svc/domain/agents/identity/assertion-claims.ts';
import { readBase64Url } from '../bytes/canonical-base64.ts';
import { type CompactJws, splitCompactJws } from './compact-jws.ts';
import { readStringMembers } from './read-string-members.ts';

const ASSERTION_CHARS_MAX = 4096;

export type ParsedAssertion = { readonly claims: AssertionClaims; readonly jws: CompactJws };

const NOT_COMPACT = { fault: 'An assertion must be a compact JWS: three parts of base64url without padding, joined by dots.' };

/** Returns why a text is not a compact JWS. */
const jwsFault = (text: unknown): ShapeFault => {
  const parts = typeof text === 'string' && text.length <= ASSERTION_CHARS_MAX ? text.split('.', 4) : [];
  if (parts.length !== 3 || parts.some((part) => part === '' || readBase64Url(part) === null)) return NOT_COMPACT;
  return { fault: 'The signature must be an Ed25519 signature of 64 bytes.' };
};

const parsed = (bytes: Buffer): Readonly<Record<string, unknown>> | undefined => {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};

/** Returns why the members of a part are invalid: most often a time as a number, as other kinds of JWT have it. */
const membersFault = (part: AssertionPart, bytes: Buffer): ShapeFault => {
  const value = parsed(bytes);
  if (value === undefined) return { fault: `The ${part} must be a JSON object.` };
  const name = ASSERTION_MEMBERS[part].find((each) => Object.hasOwn(value, each) && typeof value[each] !== 'string');
  if (name === 'iat' || name === 'exp') return findTimeFault(name);
  return {
    fault: name === undefined ? `The ${part} must be a JSON object of strings, without duplicate members.` : `${name} must be a string.`,
  };
};

/** Parses an assertion, its signature not yet verified; returns a sentence if its form is not exactly the accepted one. */
export const readAssertion = (text: unknown): ParsedAssertion | ShapeFault => {
  const jws = splitCompactJws(text, ASSERTION_CHARS_MAX);
  if (jws === null) return jwsFault(text);
  const header = readStringMembers(jws.header);
  if (header === null) return membersFault('header', jws.header);
  const payload = readStringMembers(jws.payload);
  if (payload === null) return membersFault('payload', jws.payload);
  const claims = readAssertionClaims(header, payload);
  return 'fault' in claims ? claims : { claims, jws };
};
